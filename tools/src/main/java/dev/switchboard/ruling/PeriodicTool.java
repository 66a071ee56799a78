package dev.switchboard.ruling;

import dev.switchboard.rule.ToolRule;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A tool that is due periodically.
///
/// @param every since its last start in the scope, or since the scope began
record PeriodicTool(String name, ToolRule.Scope scope, Duration every) {
  boolean isDue(RuleState state, Tallies agent, Instant now) {
    Instant since = state.tallies(scope, agent).of(name).lastStart();
    if (since == null) {
      since = began(state);
    }
    return since != null && Duration.between(since, now).compareTo(every) >= 0;
  }

  private @Nullable Instant began(RuleState state) {
    return scope == ToolRule.Scope.TURN ? state.turn().since() : state.conversation().since();
  }
}
