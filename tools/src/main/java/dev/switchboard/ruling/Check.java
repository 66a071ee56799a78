package dev.switchboard.ruling;

import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a rule requires of the calls of a tool.
sealed interface Check {
  ToolRule.Scope scope();

  Violation violation();

  /// The other tools whose calls it depends on.
  default Collection<String> names() {
    return List.of();
  }

  /// Whether this check refuses every call that the other refuses.
  default boolean covers(Check other) {
    return equals(other);
  }

  /// Whether this check refuses the call.
  ///
  /// @param agent the uses over all conversations
  boolean refuses(ToolCall call, RuleState state, Tallies agent, Instant now);

  /// Why it refuses the call, the rest of a sentence.
  String sentence(ToolCall call, RuleState state, Tallies agent, Instant now);

  /// How to correct the call, null if the sentence says it.
  default @Nullable String hint(RuleState state) {
    return null;
  }

  record Never() implements Check {
    @Override
    public ToolRule.Scope scope() {
      return ToolRule.Scope.CONVERSATION;
    }

    @Override
    public Violation violation() {
      return Violation.FORBIDDEN;
    }

    @Override
    public boolean refuses(ToolCall call, RuleState state, Tallies agent, Instant now) {
      return true;
    }

    @Override
    public String sentence(ToolCall call, RuleState state, Tallies agent, Instant now) {
      return "forbidden for this agent";
    }
  }

  /// A tool has to come first.
  ///
  /// @param start that tool
  /// @param names all tools that have to come first, in the same scope
  record Gate(ToolRule.Scope scope, String start, List<String> names) implements Check {
    @Override
    public Violation violation() {
      return Violation.START_CONSTRAINTS_NOT_MET;
    }

    @Override
    public boolean refuses(ToolCall call, RuleState state, Tallies agent, Instant now) {
      return !state.tallies(scope, agent).of(start).hasSucceeded();
    }

    @Override
    public String sentence(ToolCall call, RuleState state, Tallies agent, Instant now) {
      List<String> missing =
          state.tallies(scope, agent).those(names, tally -> !tally.hasSucceeded());
      return "call " + Quoted.list(missing) + " first";
    }
  }

  record After(ToolRule.Scope scope, List<String> names) implements Check {
    @Override
    public boolean covers(Check other) {
      return other instanceof After(var where, var fewer)
          && scope == where
          && names.containsAll(fewer);
    }

    @Override
    public Violation violation() {
      return Violation.PREREQUISITES_NOT_MET;
    }

    @Override
    public boolean refuses(ToolCall call, RuleState state, Tallies agent, Instant now) {
      return state.tallies(scope, agent).any(names, tally -> !tally.hasSucceeded());
    }

    @Override
    public String sentence(ToolCall call, RuleState state, Tallies agent, Instant now) {
      List<String> missing =
          state.tallies(scope, agent).those(names, tally -> !tally.hasSucceeded());
      List<String> failed = state.tallies(scope, agent).those(missing, tally -> tally.failed() > 0);
      String tried = failed.isEmpty() ? "" : " (tried and failed: " + Quoted.list(failed) + ")";
      return "prerequisites " + Quoted.list(missing) + " not met" + tried;
    }
  }

  record Before(ToolRule.Scope scope, List<String> names) implements Check {
    @Override
    public boolean covers(Check other) {
      return other instanceof Before(var where, var fewer)
          && scope == where
          && names.containsAll(fewer);
    }

    @Override
    public Violation violation() {
      return Violation.ORDERING_VIOLATION;
    }

    @Override
    public boolean refuses(ToolCall call, RuleState state, Tallies agent, Instant now) {
      return state.tallies(scope, agent).any(names, Tally::hasSucceeded);
    }

    @Override
    public String sentence(ToolCall call, RuleState state, Tallies agent, Instant now) {
      List<String> ran = state.tallies(scope, agent).those(names, Tally::hasSucceeded);
      return "it must come before " + Quoted.list(ran) + ", which already ran";
    }
  }

  record Limit(ToolRule.Scope scope, int max) implements Check {
    @Override
    public boolean covers(Check other) {
      return other instanceof Limit(var where, int most) && scope == where && max <= most;
    }

    @Override
    public Violation violation() {
      return Violation.MAX_CALLS_EXCEEDED;
    }

    @Override
    public boolean refuses(ToolCall call, RuleState state, Tallies agent, Instant now) {
      return state.tallies(scope, agent).of(call.name()).started() >= max;
    }

    @Override
    public String sentence(ToolCall call, RuleState state, Tallies agent, Instant now) {
      String calls = max == 1 ? "1 call" : max + " calls";
      return "limit of "
          + calls
          + " reached ("
          + state.tallies(scope, agent).of(call.name()).started()
          + " so far)";
    }
  }

  record Pause(ToolRule.Scope scope, Duration length) implements Check {
    @Override
    public boolean covers(Check other) {
      return other instanceof Pause(var where, var shorter)
          && scope == where
          && length.compareTo(shorter) >= 0;
    }

    @Override
    public Violation violation() {
      return Violation.COOLDOWN_ACTIVE;
    }

    @Override
    public boolean refuses(ToolCall call, RuleState state, Tallies agent, Instant now) {
      Instant last = state.tallies(scope, agent).of(call.name()).lastStart();
      return last != null && Duration.between(last, now).compareTo(length) < 0;
    }

    @Override
    public String sentence(ToolCall call, RuleState state, Tallies agent, Instant now) {
      return "cooling down, retry in " + Quoted.millis(left(call, state, agent, now));
    }

    /// A future start was recorded before a clock was set back.
    Duration left(ToolCall call, RuleState state, Tallies agent, Instant now) {
      Instant last = state.tallies(scope, agent).of(call.name()).lastStart();
      boolean past = last != null && last.isBefore(now);
      return past ? length.minus(Duration.between(last, now)) : length;
    }
  }

  /// Only one tool of a group is used.
  ///
  /// @param members of the group, in the rule's order
  /// @param names the other members
  record Group(ToolRule.Scope scope, Set<String> members, List<String> names) implements Check {
    @Override
    public boolean covers(Check other) {
      return other instanceof Group(var where, var same, var any)
          && scope == where
          && members.equals(same);
    }

    @Override
    public Violation violation() {
      return Violation.EXCLUSIVE_GROUP;
    }

    @Override
    public boolean refuses(ToolCall call, RuleState state, Tallies agent, Instant now) {
      return state.tallies(scope, agent).any(names, Tally::holds);
    }

    @Override
    public String sentence(ToolCall call, RuleState state, Tallies agent, Instant now) {
      List<String> used = state.tallies(scope, agent).those(names, Tally::holds);
      return "%s of its group %s was already used"
          .formatted(Quoted.list(used), Quoted.list(members));
    }
  }

  /// Only some tools may follow the last step, if it limits them.
  record Next() implements Check {
    @Override
    public ToolRule.Scope scope() {
      return ToolRule.Scope.TURN;
    }

    @Override
    public Violation violation() {
      return Violation.NOT_ALLOWED_NEXT;
    }

    @Override
    public boolean refuses(ToolCall call, RuleState state, Tallies agent, Instant now) {
      Following last = state.following();
      return last != null && last.limited() && !last.only().contains(call.name());
    }

    @Override
    public String sentence(ToolCall call, RuleState state, Tallies agent, Instant now) {
      Following last = state.following();
      return last == null || last.only().isEmpty()
          ? "no tool may be called next, reply in words"
          : "use one of " + Quoted.list(last.only()) + " next";
    }

    @Override
    public @Nullable String hint(RuleState state) {
      Following last = state.following();
      return last == null || last.only().isEmpty()
          ? null
          : "after %s you must use %s"
              .formatted(String.join(" and ", last.after()), String.join(" or ", last.only()));
    }
  }

  /// The tool runs only right after another.
  ///
  /// @param parent that tool; `*` for any tool but the children
  /// @param children of that tool
  record RightAfter(String parent, Set<String> children) implements Check {
    @Override
    public ToolRule.Scope scope() {
      return ToolRule.Scope.TURN;
    }

    @Override
    public Violation violation() {
      return Violation.NOT_ALLOWED_NEXT;
    }

    @Override
    public boolean refuses(ToolCall call, RuleState state, Tallies agent, Instant now) {
      Following last = state.following();
      return last == null || !last.follows(parent, children);
    }

    @Override
    public String sentence(ToolCall call, RuleState state, Tallies agent, Instant now) {
      return parent.equals(ToolRule.ANY)
          ? "use it right after another tool"
          : "use " + Quoted.list(List.of(parent)) + " right before it";
    }
  }

  /// Only some operations of the tool are allowed.
  ///
  /// @param operations of the rule
  /// @param left by all rules of the tool
  record Operation(Operations operations, Operations left) implements Check {
    @Override
    public ToolRule.Scope scope() {
      return ToolRule.Scope.CONVERSATION;
    }

    @Override
    public Violation violation() {
      return Violation.OPERATION_NOT_ALLOWED;
    }

    @Override
    public boolean refuses(ToolCall call, RuleState state, Tallies agent, Instant now) {
      return operations.refused(call.arguments()) != null;
    }

    @Override
    public String sentence(ToolCall call, RuleState state, Tallies agent, Instant now) {
      return "operation '%s' is not allowed, use one of %s"
          .formatted(operations.refused(call.arguments()), Quoted.list(left.allowed()));
    }
  }
}
