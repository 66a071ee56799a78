package dev.switchboard.execution;

import dev.switchboard.handler.Tool;
import dev.switchboard.ruling.ToolChecks;
import org.jspecify.annotations.Nullable;

/// A tool with everything except the arguments that decides about its calls. Thread-safe.
final class CompiledTool {
  private final Tool tool;
  private final ToolChecks checks;
  private final boolean free;
  // Made at the first use, since a tool may bring an invalid rule; a race makes an equal one twice.
  private volatile @Nullable ConsentPolicy policy;

  CompiledTool(Tool tool, ToolChecks checks) {
    this.tool = tool;
    this.checks = checks;
    boolean ruled = !checks.isEmpty() || checks.matter() || !checks.consent().isEmpty();
    boolean asks = tool.definition().mode().requiresConsent() || tool.mayAsk();
    free = !ruled && !asks && tool.options().mayActTwice();
  }

  Tool tool() {
    return tool;
  }

  ToolChecks checks() {
    return checks;
  }

  /// Whether only the arguments decide about its calls: no rule concerns it, no one is asked,
  /// nothing is remembered, and a call may be repeated.
  boolean isFree() {
    return free;
  }

  /// When its calls need consent.
  ConsentPolicy policy() {
    ConsentPolicy known = policy;
    if (known == null) {
      known = ConsentPolicy.of(tool.definition(), checks.consent());
      policy = known;
    }
    return known;
  }
}
