package dev.switchboard.cli.edit;

import dev.switchboard.config.Durations;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A rule as a file writes it, its metadata aside.
final class RuleText {
  private RuleText() {}

  /// The lines of a table with a header of its own.
  static List<String> table(ToolRule rule) {
    List<String> lines = new ArrayList<>(List.of("[[agent.tool_rules]]"));
    lines.addAll(keys(rule));
    return lines;
  }

  /// A table in braces.
  static String inline(ToolRule rule) {
    return "{ " + String.join(", ", keys(rule)) + " }";
  }

  private static List<String> keys(ToolRule rule) {
    List<String> keys = new ArrayList<>();
    keys.add("tool_name = " + string(rule.tool()));
    String value = value(rule.type());
    String name = rule.type().kind().pascal();
    keys.add("rule_type = " + (value == null ? string(name) : "{ " + name + " = " + value + " }"));
    String conditions = conditions(rule.type());
    if (conditions != null) {
      keys.add("conditions = " + conditions);
    }
    if (rule.priority() != ToolRule.DEFAULT_PRIORITY) {
      keys.add("priority = " + rule.priority());
    }
    if (rule.scope() != ToolRule.defaultScope(rule.type().kind())) {
      keys.add("scope = " + string(rule.scope().word()));
    }
    return keys;
  }

  private static @Nullable String conditions(RuleType type) {
    return switch (type) {
      case RuleType.RequiresPreceding preceding -> list(preceding.tools());
      case RuleType.RequiresFollowing following -> list(following.tools());
      case RuleType.RequiredBeforeExitIf required -> list(required.tools());
      case RuleType.StartConstraint start -> null;
      case RuleType.MaxCalls max -> null;
      case RuleType.Cooldown cooldown -> null;
      case RuleType.ExclusiveGroups groups -> null;
      case RuleType.ExitLoop exit -> null;
      case RuleType.ContinueLoop more -> null;
      case RuleType.RequiredBeforeExit required -> null;
      case RuleType.RequiresConsent consent -> null;
      case RuleType.Forbidden forbidden -> null;
      case RuleType.AllowedOperations operations -> null;
    };
  }

  private static @Nullable String value(RuleType type) {
    return switch (type) {
      case RuleType.StartConstraint start -> start(start);
      case RuleType.RequiresPreceding preceding -> null;
      case RuleType.RequiresFollowing following -> null;
      case RuleType.MaxCalls max -> String.valueOf(max.max());
      case RuleType.Cooldown cooldown -> string(Durations.text(cooldown.length()));
      case RuleType.ExclusiveGroups groups ->
          groups.groups().stream()
              .map(group -> list(group.stream().sorted().toList()))
              .collect(Collectors.joining(", ", "[", "]"));
      case RuleType.ExitLoop exit -> null;
      case RuleType.ContinueLoop more -> null;
      case RuleType.RequiredBeforeExit required -> null;
      case RuleType.RequiredBeforeExitIf required -> null;
      case RuleType.RequiresConsent consent -> consent(consent);
      case RuleType.Forbidden forbidden -> null;
      case RuleType.AllowedOperations operations -> list(operations.operations());
    };
  }

  private static @Nullable String start(RuleType.StartConstraint start) {
    List<String> members = new ArrayList<>();
    if (start.args() != null) {
      members.add("args = " + json(start.args()));
    }
    if (!start.auto()) {
      members.add("auto = false");
    }
    return braces(members);
  }

  private static @Nullable String consent(RuleType.RequiresConsent consent) {
    List<String> members = new ArrayList<>();
    if (consent.scope() != null) {
      members.add("scope = " + string(consent.scope()));
    }
    if (consent.when() != null) {
      members.add("when = " + json(consent.when()));
    }
    if (!consent.bind().isEmpty()) {
      members.add("bind = " + list(consent.bind()));
    }
    return braces(members);
  }

  private static @Nullable String braces(List<String> members) {
    return members.isEmpty() ? null : "{ " + String.join(", ", members) + " }";
  }

  private static String list(Collection<String> texts) {
    return texts.stream().map(RuleText::string).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String json(Json json) {
    String text = Json.of(json.tree()).text();
    boolean plain = text.chars().noneMatch(c -> c == '\'' || c < ' ' || c == 0x7f);
    return plain ? "'" + text + "'" : string(text);
  }

  private static String string(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c == 0x7f) {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
