package dev.switchboard.config.rule;

import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.config.FileTable.TableKey;
import dev.switchboard.rule.ToolRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The keys of a rule in a file, and of the tables in it: a component is a key.
record RuleKeys(
    StatedValue at,
    @TableKey(required = true) @Nullable String toolName,
    @TableKey(required = true) @Nullable StatedValue ruleType,
    @Nullable StatedValue conditions,
    @TableKey(least = 1, most = 10) @Nullable Integer priority,
    ToolRule.@Nullable Scope scope,
    @Nullable StatedValue metadata) {
  /// The long form of a rule's type.
  record RuleType(@Nullable StatedValue type, @Nullable StatedValue value) {}

  record StartConstraint(@Nullable StatedValue args, @Nullable Boolean auto) {}

  record Children(@Nullable StatedValue children, @Nullable StatedValue args) {}

  record Conditional(
      @Nullable StatedValue mapping,
      @TableKey(name = "at") @Nullable String pointer,
      @TableKey(name = "default") @Nullable String otherwise,
      @Nullable Boolean requireMatch) {}

  record RequiresConsent(@Nullable String scope, @Nullable StatedValue when, List<String> bind) {}
}
