package dev.switchboard.execution;

import dev.switchboard.handler.Tool;
import dev.switchboard.policy.ConsentPolicy;
import dev.switchboard.ruling.ToolChecks;
import org.jspecify.annotations.Nullable;

/// A tool with all that decides about its calls beside their arguments. Safe for use by several
/// threads.
final class CompiledTool {
  private final Tool tool;
  private final ToolChecks checks;
  private final boolean free;
  // Made when it is first needed, since a rule that a tool brings may be a bad one; a race makes an
  // equal one twice.
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

  /// Whether nothing but their arguments decides about its calls, and nothing is remembered of
  /// them: no rule is about it, no one is ever asked, and a call may be made again.
  boolean isFree() {
    return free;
  }

  /// When its calls need a person's consent.
  ConsentPolicy policy() {
    ConsentPolicy known = policy;
    if (known == null) {
      known = ConsentPolicy.of(tool.definition(), checks.consent());
      policy = known;
    }
    return known;
  }
}
