package dev.switchboard.config;

import dev.switchboard.config.AgentFile.AgentSettings;
import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A table of agents' files that belongs to a module above this one, which provides it to the
/// [java.util.ServiceLoader]. Its keys are the components of a record: see [StatedValue#bind].
///
/// @param <T> what is read of the table, for [AgentFile#table]
public interface FileTable<T> {
  /// The table's name, such as `phone`.
  String word();

  /// What the table states; null if it has an error, which is reported.
  @Nullable T read(StatedValue table, Context context);

  /// Warns people who check the file of what its parts together probably do not mean.
  ///
  /// @param content of the table, without an error
  /// @param tools of the agent that are known here
  /// @param rules for their calls
  default void check(StatedValue table, T content, List<Tool> tools, List<ToolRule> rules) {}

  /// Requirements on a key's value beyond its type.
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.RECORD_COMPONENT)
  @interface TableKey {
    /// The minimum of a number; if there is also a maximum, the minimum milliseconds of a duration.
    int least() default 0;

    /// The maximum of a number, or the maximum milliseconds of a duration.
    int most() default Integer.MAX_VALUE;

    /// Whether a text may be blank, and a duration 0.
    boolean mayBeEmpty() default false;

    /// The key, if it differs from the component's name.
    String name() default "";

    /// Whether the key is required.
    boolean required() default false;
  }

  /// A value of a file with its position. Each read method reports a fault and then returns null.
  sealed interface StatedValue permits Value {
    /// Its name in messages, such as `phone.limits.calls`.
    String path();

    /// The member of a table, present or absent.
    StatedValue member(String key);

    /// Whether the table has that member.
    boolean has(String key);

    /// Whether it is a string; a date is not.
    boolean isString();

    /// A string, which may be empty.
    @Nullable String text();

    /// A string that is not blank.
    @Nullable String filledText();

    /// One of the constants of that type, by its name in lower case.
    <E extends Enum<E>> @Nullable E word(Class<E> type);

    /// The table as a record, whose components are its keys in snake_case and their types; an
    /// invalid value is null, false or empty there. A component `at` is the table itself. The
    /// record's package has to be open to this module.
    <R extends Record> @Nullable R bind(Class<R> type);

    /// The suggestion for an unknown name, as the end of a sentence; of many such names only the
    /// first have one.
    String closest(String word, Collection<String> known);

    /// Reports that the value is invalid, with the rest of the sentence.
    void bad(String why);

    /// Reports a warning.
    void warning(FaultClass kind, String message);

    /// Reports a fault.
    void report(Severity severity, FaultClass kind, String message);

    /// A fault of the value, without reporting it.
    ConfigException.Fault fault(Severity severity, FaultClass kind, String message);
  }

  /// What surrounds a table: the file, its folder and the environment variables.
  final class Context {
    private final Value file;
    private final Path folder;
    private final AgentSettings agent;
    private final Environment environment;
    private final Severity unset;

    Context(Value file, Path folder, AgentSettings agent, Environment environment, Severity unset) {
      this.file = file;
      this.folder = folder;
      this.agent = agent;
      this.environment = environment;
      this.unset = unset;
    }

    /// The whole file.
    public StatedValue file() {
      return file;
    }

    /// The folder in which relative paths begin.
    public Path folder() {
      return folder;
    }

    /// The file's table `agent`.
    public AgentSettings agent() {
      return agent;
    }

    /// The severity of an environment variable that is not set: a warning for people who check the
    /// file.
    public Severity unset() {
      return unset;
    }

    /// The value of that environment variable, null if it is not set.
    public @Nullable String variable(String name) {
      return environment.get(name);
    }

    /// Whether each `${` of that text begins a variable, as in `${NAME}` or `${NAME:-default}`.
    public boolean canBeFilled(String text) {
      return Environment.canBeFilled(text);
    }

    /// The text with the values of its variables; null if one is not set.
    ///
    /// @param missing receives the names of those that are not set
    public @Nullable String filled(String text, Consumer<String> missing) {
      return environment.fill(text, missing);
    }
  }
}
