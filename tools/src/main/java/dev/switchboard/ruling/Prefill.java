package dev.switchboard.ruling;

import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import java.util.Set;

/// Arguments that a rule sets in calls of a tool.
sealed interface Prefill {
  Json args();

  boolean holds(RuleState state, Tallies agent);

  /// Of a start tool, until it has succeeded.
  record OfStart(String tool, ToolRule.Scope scope, Json args) implements Prefill {
    @Override
    public boolean holds(RuleState state, Tallies agent) {
      return !state.tallies(scope, agent).of(tool).hasSucceeded();
    }
  }

  /// Of a tool that has to follow another, right after it.
  ///
  /// @param parent `*` for any tool but the children
  record OfChild(String parent, Set<String> children, Json args) implements Prefill {
    @Override
    public boolean holds(RuleState state, Tallies agent) {
      Following last = state.following();
      return last != null && last.follows(parent, children);
    }
  }
}
