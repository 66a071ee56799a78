package dev.switchboard.ruling;

/// A fault in an agent's rules, found when the agent is built.
///
/// @param rule the index of the rule in the agent's list, from 0
/// @param part the faulty part of the rule
/// @param message one sentence, with a suggestion if there is one
public record RuleFault(int rule, Part part, Kind kind, String message) {
  /// A part of a rule.
  public enum Part {
    /// The tool.
    TOOL_NAME,
    /// The type, with its value.
    RULE_TYPE,
    /// The tools or operations that it names.
    CONDITIONS
  }

  /// The class of a fault.
  public enum Kind {
    /// No tool has that name.
    UNKNOWN_TOOL(true),
    /// The tool has no such operation.
    UNKNOWN_OPERATION(true),
    /// A value that the rule does not accept.
    BAD_VALUE(true),
    /// Tools that wait for each other.
    RULE_CYCLE(true),
    /// A tool that can never run because of the tools that it waits for.
    RULE_DEADLOCK(true),
    /// Two rules that contradict each other.
    RULE_CONFLICT(true),
    /// An argument that a rule sets, of another type than the tool accepts.
    PREFILL_TYPE_MISMATCH(true),
    /// An argument that a rule sets and the tool does not have.
    PREFILL_UNKNOWN_ARGUMENT(true),
    /// Arguments for a tool that is not one of the rule's children.
    ARGS_FOR_NON_CHILD(true),
    /// An empty mapping of results to tools.
    EMPTY_MAPPING(true),
    /// An empty list of conditions.
    EMPTY_CONDITION(false),
    /// Allowed operations of a tool without operations.
    TOOL_HAS_NO_OPERATIONS(false),
    /// A limit that prevents every call.
    TOOL_NEVER_CALLABLE(false),
    /// A start tool that the runtime cannot call.
    START_TOOL_NEEDS_ARGS(false),
    /// A rule without effect, since another one is at least as strict.
    DUPLICATE_RULE(false);

    private final boolean error;

    Kind(boolean error) {
      this.error = error;
    }

    /// Whether the agent cannot be built; otherwise it is a warning.
    public boolean isError() {
      return error;
    }
  }
}
