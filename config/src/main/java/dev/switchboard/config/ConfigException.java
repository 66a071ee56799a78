package dev.switchboard.config;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A configuration file that cannot be used. The message lists every fault, one per line.
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Fault> faults;

  /// @param faults all of them, warnings too, in the order of the file
  public ConfigException(List<Fault> faults) {
    super(faults.stream().map(Fault::toString).collect(Collectors.joining("\n")));
    this.faults = List.copyOf(faults);
  }

  /// All faults of the file, warnings too, in its order.
  public List<Fault> faults() {
    return faults;
  }

  /// A fault of a configuration file.
  ///
  /// @param file as the caller named it
  /// @param line from 1; 0 if the fault concerns the whole file
  /// @param column from 1; 0 if the fault concerns the whole file
  /// @param kind its class
  /// @param message one sentence
  public record Fault(
      String file, int line, int column, Severity severity, FaultClass kind, String message) {

    /// The fault as an object: `file`, `line`, `column`, `severity`, `class`, `message`.
    public Json json() {
      return Json.of(
          Codec.object()
              .put("file", file)
              .put("line", line)
              .put("column", column)
              .put("severity", severity.word())
              .put("class", kind.name())
              .put("message", message));
    }

    /// The fault as a line, such as `agent.toml:12:1: error: tools must be a list`.
    @Override
    public String toString() {
      String place = line == 0 ? file : file + ":" + line + ":" + column;
      String sentence = message.replaceAll("\\p{Cntrl}+", " ");
      return place + ": " + severity.word() + ": " + sentence;
    }

    /// The severity of a fault.
    public enum Severity {
      /// The file cannot be used.
      ERROR,
      /// The file can be used, but probably does not do what its author intends.
      WARNING;

      /// Its word in files and messages: `error` or `warning`.
      public String word() {
        return name().toLowerCase(Locale.ROOT);
      }
    }

    /// The class of a fault, as a word for programs.
    public enum FaultClass {
      /// There is no such file, or it cannot be read.
      UNREADABLE,
      /// A file with keys that other users can read.
      OPEN_TO_OTHERS,
      /// It is not TOML.
      SYNTAX,
      /// An unknown key.
      UNKNOWN_KEY,
      /// A value of the wrong type.
      WRONG_TYPE,
      /// A value of the right type that the key does not allow.
      BAD_VALUE,
      /// A tool without a name, or without exactly one of webhook and handler.
      TOOL_DEFINITION,
      /// Parameters that are not the schema of an object; as a warning, keywords in them that are
      /// ignored.
      TOOL_SCHEMA,
      /// A URL that the URL guard refuses.
      URL_BLOCKED,
      /// A name of two tools.
      DUPLICATE_TOOL,
      /// A reserved name.
      RESERVED_NAME,
      /// An unknown tool name.
      UNKNOWN_TOOL,
      /// Memory blocks that the agent may change, without the tool that changes them.
      NO_BLOCK_TOOL,
      /// An agent that none of the files in the folder describes.
      UNKNOWN_AGENT,
      /// A memory block that the other agent's file does not have.
      UNKNOWN_BLOCK,
      /// A placeholder of a text that no variable fills.
      UNKNOWN_VARIABLE,
      /// An operation that the tool does not have.
      UNKNOWN_OPERATION,
      /// An unknown type of rule.
      UNKNOWN_RULE_TYPE,
      /// Tools that require each other.
      RULE_CYCLE,
      /// A tool that can never run because of the tools that it requires.
      RULE_DEADLOCK,
      /// Two rules that contradict each other.
      RULE_CONFLICT,
      /// An argument set by a rule whose type differs from the tool's.
      PREFILL_TYPE_MISMATCH,
      /// An argument set by a rule that the tool does not have.
      PREFILL_UNKNOWN_ARGUMENT,
      /// Arguments for a tool that is not one of the rule's children.
      ARGS_FOR_NON_CHILD,
      /// A mapping of results to tools without an entry.
      EMPTY_MAPPING,
      /// A rule whose list of conditions is empty.
      EMPTY_CONDITION,
      /// Allowed operations of a tool that has none.
      TOOL_HAS_NO_OPERATIONS,
      /// A limit that keeps the tool from ever running.
      TOOL_NEVER_CALLABLE,
      /// A start tool that the runtime cannot call, since its arguments are unknown.
      START_TOOL_NEEDS_ARGS,
      /// A rule that changes nothing, since another is at least as strict.
      DUPLICATE_RULE,
      /// An empty file.
      EMPTY_FILE,
      /// A result limit too small for a useful result.
      RESULT_LIMIT_SMALL,
      /// An operation of an OpenAPI document that does not become a tool.
      OPERATION_LEFT_OUT,
      /// A key without effect in this version.
      NOT_YET
    }
  }
}
