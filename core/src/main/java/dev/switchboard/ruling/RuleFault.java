package dev.switchboard.ruling;

/// Something wrong with an agent's rules, found before anything runs.
///
/// @param rule the index of the rule in the agent's list, from 0
/// @param part the part of the rule that is at fault
/// @param message one sentence, with a suggestion where there is one
public record RuleFault(int rule, Part part, Kind kind, String message) {
  /// A part of a rule.
  public enum Part {
    /// The tool that it is for.
    TOOL_NAME,
    /// What it asks for, with its value.
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
    /// A value that the rule does not take.
    BAD_VALUE(true),
    /// Tools that each have to wait for the other.
    RULE_CYCLE(true),
    /// A tool that can never run because of what it waits for.
    RULE_DEADLOCK(true),
    /// Two rules that contradict each other.
    RULE_CONFLICT(true),
    /// An argument that a rule sets, of another type than the tool takes.
    PREFILL_TYPE_MISMATCH(true),
    /// An argument that a rule sets, and the tool does not take.
    PREFILL_UNKNOWN_ARGUMENT(true),
    /// Arguments for a tool that is not one of the rule's children.
    ARGS_FOR_NON_CHILD(true),
    /// A mapping of results to tools without any.
    EMPTY_MAPPING(true),
    /// A list of conditions without any.
    EMPTY_CONDITION(false),
    /// Allowed operations of a tool that has none.
    TOOL_HAS_NO_OPERATIONS(false),
    /// A limit under which the tool can never run.
    TOOL_NEVER_CALLABLE(false),
    /// A start tool that the runtime cannot call by itself.
    START_TOOL_NEEDS_ARGS(false),
    /// A rule that changes nothing, since another one is at least as strict.
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
