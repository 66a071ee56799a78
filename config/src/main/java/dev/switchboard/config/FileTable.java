package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.webhook.GuardedHttp;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A table of agents' files, or a list of tables, that belongs to a module above this one, which
/// provides it to the [java.util.ServiceLoader]. Its keys are the components of a record: see
/// [StatedValue#bind].
///
/// @param <T> what is read of the table, for [AgentFile#table]
public interface FileTable<T> {
  /// The table's name, such as `phone`, or `agent.mcp` for one below `agent`.
  String word();

  /// What the table states; null if it has an error, which is reported.
  @Nullable T read(StatedValue table, Context context);

  /// Warns people who check the file of what its parts together probably do not mean.
  ///
  /// @param content of the table, without an error
  /// @param tools of the agent that are known here
  /// @param rules for their calls
  default void check(StatedValue table, T content, List<Tool> tools, List<ToolRule> rules) {}

  /// The tools that the table defines.
  default List<StatedTool> tools(T content) {
    return List.of();
  }

  /// Whether a name may be that of a tool which the content adds to a running agent.
  default boolean mayHaveTool(T content, String name) {
    return false;
  }

  /// What adds tools to a running agent; null for nothing.
  ///
  /// @param environment the value of an environment variable, null if it is not set
  default ToolRegistry.@Nullable Source source(
      T content, Function<String, @Nullable String> environment) {
    return null;
  }

  /// A tool that a table defines.
  ///
  /// @param at what names it in the file
  record StatedTool(StatedValue at, Tool tool) {}

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

  /// A table of a tool by which a module above this one answers the tool's calls, such as `wasm`.
  /// The module provides it to the [java.util.ServiceLoader].
  interface ToolTable {
    /// The table's name.
    String word();

    /// What answers the calls; null if there is a fault, which is reported.
    ///
    /// @param tool the limits of the tool
    @Nullable ToolHandler read(StatedValue table, ToolLimits tool, Context context);
  }

  /// The limits of a tool that concern what answers its calls.
  ///
  /// @param timeout of an attempt
  /// @param responseLimit the maximum bytes of an answer, null for the default
  record ToolLimits(Duration timeout, @Nullable Integer responseLimit) {}

  /// A value of a file with its position. Each read method reports a fault and then returns null.
  interface StatedValue {
    /// Its name in messages, such as `phone.limits.calls`.
    String path();

    /// The member of a table, present or absent.
    StatedValue member(String key);

    /// Whether the table has that member.
    boolean has(String key);

    /// Whether it is a string; a date is not.
    boolean isString();

    /// Whether it is true or false.
    boolean isFlag();

    /// Whether it is a list.
    boolean isList();

    /// A string, which may be empty.
    @Nullable String text();

    /// A string that is not blank.
    @Nullable String filledText();

    /// True or false.
    @Nullable Boolean flag();

    /// A number of bytes: a plain number, or one with a unit, such as `16MiB`.
    @Nullable Long bytes();

    /// The values of a list; none if it is not a list.
    List<? extends StatedValue> items();

    /// The strings of a list that are not blank.
    List<String> texts();

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

  /// What surrounds a table: its file, and how tables of any kind state programs, headers, URLs and
  /// options of tools. What reads a value reports its faults and then returns null.
  interface Context {
    /// The whole file.
    StatedValue file();

    /// The path of the file.
    Path path();

    /// The folder in which relative paths begin.
    Path folder();

    /// The severity of an environment variable that is not set: a warning for people who check the
    /// file.
    Severity unset();

    /// The value of that environment variable, null if it is not set.
    @Nullable String variable(String name);

    /// As [#variable(String)]; a variable that is not set is a fault of the value that names it.
    @Nullable String variable(StatedValue value, String name);

    /// Whether each `${` of that text begins a variable, as in `${NAME}` or `${NAME:-default}`.
    boolean canBeFilled(String text);

    /// Whether the text has variables whose values are not looked up.
    boolean isUnknown(String text);

    /// The text with the values of its variables; null if one is not set.
    ///
    /// @param missing receives the names of those that are not set
    @Nullable String filled(String text, Consumer<String> missing);

    /// The text of a value with the values of its variables.
    @Nullable String filled(StatedValue value);

    /// The valid headers of requests, filled in.
    Map<String, String> headers(Map<String, StatedValue> table);

    /// The environment of a program: variables by their names alone, or with their values.
    Map<String, String> environment(StatedValue value);

    /// The folder of that path, which exists.
    @Nullable Path existingFolder(StatedValue value);

    /// The program and its arguments; a relative path of the program begins in the file's folder.
    List<String> program(List<String> words);

    /// The client of the file's tools, which reaches what the file allows.
    GuardedHttp network();

    /// Whether the client must not reach the URL that the value states; it is reported then.
    boolean isBlocked(String url, StatedValue value);

    /// The options of a tool that the file does not define.
    Tool.@Nullable Policy policy(StatedValue table);

    /// The options of a tool of which the file states none.
    Tool.Policy noPolicy();
  }
}
