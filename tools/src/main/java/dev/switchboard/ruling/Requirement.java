package dev.switchboard.ruling;

import dev.switchboard.rule.ToolRule;
import java.util.List;

/// A tool that has to succeed before the loop may end.
///
/// @param conditions it is required once all of these have succeeded
record Requirement(String tool, ToolRule.Scope scope, List<String> conditions) {
  /// The scope of an agent means a conversation here; [RuleLint] warns about it.
  boolean isUnmet(RuleState state) {
    Tallies seen = scope == ToolRule.Scope.TURN ? state.turn() : state.conversation();
    return !seen.of(tool).hasSucceeded() && !seen.any(conditions, tally -> !tally.hasSucceeded());
  }
}
