package dev.switchboard.rule;

import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/// What a rule asks of the calls of one tool, or several rules of a kind and scope together.
sealed interface Check {
  RuleScope scope();

  Violation violation();

  /// The other tools whose calls it looks at.
  default Collection<String> names() {
    return List.of();
  }

  /// What tells it from another of its kind and scope; the violation where there is but one.
  default Object what() {
    return violation();
  }

  /// Both in one: the stricter of two that differ in strictness alone.
  default Check and(Check other) {
    return this;
  }

  /// Whether the call may not run for it.
  ///
  /// @param seen the tallies of its scope
  boolean refuses(ToolCall call, Tallies seen, Instant now);

  /// Why a call that it refuses cannot run.
  String sentence(ToolCall call, Tallies seen, Instant now);

  record Never() implements Check {
    @Override
    public RuleScope scope() {
      return RuleScope.CONVERSATION;
    }

    @Override
    public Violation violation() {
      return Violation.FORBIDDEN;
    }

    @Override
    public boolean refuses(ToolCall call, Tallies seen, Instant now) {
      return true;
    }

    @Override
    public String sentence(ToolCall call, Tallies seen, Instant now) {
      return "forbidden for this agent";
    }
  }

  /// All start tools of a scope are one gate.
  record Gate(RuleScope scope, List<String> names) implements Check {
    @Override
    public Violation violation() {
      return Violation.START_CONSTRAINTS_NOT_MET;
    }

    @Override
    public boolean refuses(ToolCall call, Tallies seen, Instant now) {
      return seen.any(names, tally -> !tally.hasSucceeded());
    }

    @Override
    public String sentence(ToolCall call, Tallies seen, Instant now) {
      List<String> missing = seen.those(names, tally -> !tally.hasSucceeded());
      return "call " + Quoted.list(missing) + " first";
    }
  }

  record After(RuleScope scope, List<String> names) implements Check {
    @Override
    public Object what() {
      return names;
    }

    @Override
    public Violation violation() {
      return Violation.PREREQUISITES_NOT_MET;
    }

    @Override
    public boolean refuses(ToolCall call, Tallies seen, Instant now) {
      return seen.any(names, tally -> !tally.hasSucceeded());
    }

    @Override
    public String sentence(ToolCall call, Tallies seen, Instant now) {
      List<String> missing = seen.those(names, tally -> !tally.hasSucceeded());
      List<String> failed = seen.those(missing, tally -> tally.failed() > 0);
      String tried = failed.isEmpty() ? "" : " (tried and failed: " + Quoted.list(failed) + ")";
      return "prerequisites " + Quoted.list(missing) + " not met" + tried;
    }
  }

  record Before(RuleScope scope, List<String> names) implements Check {
    @Override
    public Object what() {
      return names;
    }

    @Override
    public Violation violation() {
      return Violation.ORDERING_VIOLATION;
    }

    @Override
    public boolean refuses(ToolCall call, Tallies seen, Instant now) {
      return seen.any(names, Tally::hasSucceeded);
    }

    @Override
    public String sentence(ToolCall call, Tallies seen, Instant now) {
      List<String> ran = seen.those(names, Tally::hasSucceeded);
      return "it must come before " + Quoted.list(ran) + ", which already ran";
    }
  }

  record Limit(RuleScope scope, int max) implements Check {
    @Override
    public Check and(Check other) {
      return ((Limit) other).max < max ? other : this;
    }

    @Override
    public Violation violation() {
      return Violation.MAX_CALLS_EXCEEDED;
    }

    @Override
    public boolean refuses(ToolCall call, Tallies seen, Instant now) {
      return seen.of(call.name()).started() >= max;
    }

    @Override
    public String sentence(ToolCall call, Tallies seen, Instant now) {
      String calls = max == 1 ? "1 call" : max + " calls";
      return "limit of " + calls + " reached (" + seen.of(call.name()).started() + " so far)";
    }
  }

  record Pause(RuleScope scope, Duration length) implements Check {
    @Override
    public Check and(Check other) {
      return ((Pause) other).length.compareTo(length) > 0 ? other : this;
    }

    @Override
    public Violation violation() {
      return Violation.COOLDOWN_ACTIVE;
    }

    @Override
    public boolean refuses(ToolCall call, Tallies seen, Instant now) {
      Instant last = seen.of(call.name()).lastStart();
      return last != null && Duration.between(last, now).compareTo(length) < 0;
    }

    /// A start in the future is one from before a clock was set back.
    @Override
    public String sentence(ToolCall call, Tallies seen, Instant now) {
      Instant last = seen.of(call.name()).lastStart();
      boolean past = last != null && last.isBefore(now);
      Duration left = past ? length.minus(Duration.between(last, now)) : length;
      return "cooling down, retry in " + Quoted.millis(left);
    }
  }

  /// @param members of the group, in the rule's order
  /// @param names the members but for the tool that is checked
  record Group(RuleScope scope, Set<String> members, List<String> names) implements Check {
    @Override
    public Object what() {
      return members;
    }

    @Override
    public Violation violation() {
      return Violation.EXCLUSIVE_GROUP;
    }

    @Override
    public boolean refuses(ToolCall call, Tallies seen, Instant now) {
      return seen.any(names, Tally::holds);
    }

    @Override
    public String sentence(ToolCall call, Tallies seen, Instant now) {
      List<String> used = seen.those(names, Tally::holds);
      return "%s of its group %s was already used"
          .formatted(Quoted.list(used), Quoted.list(members));
    }
  }

  /// @param operations those that every rule allows, with the members that may name one
  record Operation(Operations operations) implements Check {
    @Override
    public RuleScope scope() {
      return RuleScope.CONVERSATION;
    }

    @Override
    public Check and(Check other) {
      return new Operation(operations.and(((Operation) other).operations));
    }

    @Override
    public Violation violation() {
      return Violation.OPERATION_NOT_ALLOWED;
    }

    @Override
    public boolean refuses(ToolCall call, Tallies seen, Instant now) {
      return operations.refused(call.arguments()) != null;
    }

    @Override
    public String sentence(ToolCall call, Tallies seen, Instant now) {
      return "operation '%s' is not allowed, use one of %s"
          .formatted(operations.refused(call.arguments()), Quoted.list(operations.allowed()));
    }
  }
}
