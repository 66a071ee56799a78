package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Json;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A table of agents' files, or a list of tables, that belongs to a package or module above this
/// one, which provides it to the [java.util.ServiceLoader]. Its keys are the components of a
/// record: see [StatedValue#bind].
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

  /// The rules that the table states.
  default List<StatedRule> rules(T content) {
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
  /// @param name null if it cannot be read
  /// @param tool makes it, if no fault was reported
  record StatedTool(StatedValue at, @Nullable String name, Supplier<Tool> tool) {}

  /// A rule that a table states; for all tools it may be one for each.
  ///
  /// @param at its table, with the keys `tool_name`, `rule_type` and `conditions`
  /// @param tool for which it is, null if that cannot be read
  /// @param rules none if it has an error
  record StatedRule(StatedValue at, @Nullable String tool, List<ToolRule> rules) {
    public StatedRule {
      rules = List.copyOf(rules);
    }
  }

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

    /// The value as JSON; missing if it is absent.
    JsonNode node();

    /// Whether the table has that member.
    boolean has(String key);

    /// Whether it is a string; a date is not.
    boolean isString();

    /// A string, which may be empty.
    @Nullable String text();

    /// A string that is not blank.
    @Nullable String filledText();

    /// An integer within these bounds.
    @Nullable Integer whole(int least, int most);

    /// A duration of 0 or more, such as `30s`.
    @Nullable Duration duration();

    /// A number of bytes: a plain number, or one with a unit, such as `16MiB`.
    @Nullable Long bytes();

    /// Whether it is a table; reports otherwise that it must be of that type.
    boolean isTable(String type);

    /// The content of a JSON text, valid or not, or the value itself.
    Json json();

    /// A table, stated as such or as its JSON text.
    ///
    /// @param form the expected form, for a message
    @Nullable Json table(String form);

    /// The values of a table with arbitrary keys; none if it is not a table.
    Map<String, ? extends StatedValue> members();

    /// The values of a list; none if it is not a list.
    List<? extends StatedValue> items();

    /// The strings of a list that are not blank.
    List<String> texts();

    /// One of the constants of that type, by its name in lower case.
    <E extends Enum<E>> @Nullable E word(Class<E> type);

    /// The table as a record, whose components are its keys in snake_case and their types; an
    /// invalid value is null, false or empty there. A component `at` is the table itself. An absent
    /// table is as an empty one. The record's package has to be open to this module.
    <R extends Record> @Nullable R bind(Class<R> type);

    /// The keys of a table that is bound to that record, in the order of its components.
    List<String> keys(Class<? extends Record> type);

    /// The suggestion for an unknown name, as the end of a sentence; of many such names only the
    /// first have one.
    String closest(String word, Collection<String> known);

    /// The suggestion for an unknown name of few, and all of them, as the end of a sentence.
    String closestAndAll(String word, Collection<String> known);

    /// Reports that the value is invalid, with the rest of the sentence.
    void bad(String why);

    /// Reports a warning.
    void warning(FaultClass kind, String message);

    /// Reports a fault.
    void report(Severity severity, FaultClass kind, String message);

    /// A fault of the value, without reporting it.
    ConfigException.Fault fault(Severity severity, FaultClass kind, String message);
  }

  /// A JSON Schema that a file states, in itself or in a JSON file.
  interface StatedSchema {
    /// The schema, which may be invalid.
    Json json();

    /// The part that a sentence of the schema's check names, or the whole.
    StatedValue at(String sentence);
  }

  /// What surrounds a table: its file and the environment variables.
  interface Context {
    /// The whole file.
    StatedValue file();

    /// The path of the file.
    Path path();

    /// The folder in which relative paths begin.
    Path folder();

    /// What was read of a table that is read before this one, null if the file does not have it:
    /// the defaults of tools.
    ///
    /// @param type what its [FileTable] reads
    <T> @Nullable T table(Class<T> type);

    /// The client of the file's tools, which reaches what the file allows.
    GuardedHttp network();

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

    /// The text of a value with the values of its variables; null if there is a fault, which is
    /// reported.
    @Nullable String filled(StatedValue value);

    /// The schema that a value states as a table or a JSON text, or that is in the file which the
    /// other one names; null if there is none, or the file cannot be read, which is reported.
    @Nullable StatedSchema schema(@Nullable StatedValue stated, @Nullable StatedValue file);
  }
}
