package dev.switchboard.ruling;

import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import org.jspecify.annotations.Nullable;

/// A tool that has to succeed before any other may run.
///
/// @param args its arguments, null if the rule has none
/// @param auto whether the runtime calls it at the beginning
record StartTool(String name, ToolRule.Scope scope, @Nullable Json args, boolean auto) {
  boolean isMet(RuleState state, Tallies agent) {
    return state.tallies(scope, agent).of(name).hasSucceeded();
  }
}
