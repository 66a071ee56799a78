package dev.switchboard.cli;

import dev.switchboard.config.Durations;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A rule in words, for people and for programs.
final class RuleWords {
  private RuleWords() {}

  /// What a rule of that type was given, empty where it takes nothing.
  static String parameter(RuleType type) {
    return switch (type) {
      case RuleType.StartConstraint start -> start(start);
      case RuleType.RequiresPreceding preceding -> String.join(", ", preceding.tools());
      case RuleType.RequiresFollowing following -> String.join(", ", following.tools());
      case RuleType.MaxCalls max -> String.valueOf(max.max());
      case RuleType.Cooldown cooldown -> Durations.text(cooldown.length());
      case RuleType.ExclusiveGroups groups ->
          groups.groups().stream()
              .map(group -> String.join(", ", sorted(group)))
              .collect(Collectors.joining("; "));
      case RuleType.ExitLoop exit -> "";
      case RuleType.ContinueLoop more -> "";
      case RuleType.RequiredBeforeExit required -> "";
      case RuleType.RequiredBeforeExitIf required -> String.join(", ", required.tools());
      case RuleType.RequiresConsent consent -> consent(consent);
      case RuleType.Forbidden forbidden -> "";
      case RuleType.AllowedOperations operations -> String.join(", ", operations.operations());
    };
  }

  /// How far back the rule looks; a dash where it looks at no earlier call.
  static String scope(ToolRule rule) {
    return switch (rule.type().kind()) {
      case START_CONSTRAINT,
          REQUIRES_PRECEDING,
          REQUIRES_FOLLOWING,
          MAX_CALLS,
          COOLDOWN,
          EXCLUSIVE_GROUPS,
          REQUIRED_BEFORE_EXIT,
          REQUIRED_BEFORE_EXIT_IF ->
          rule.scope().word();
      case EXIT_LOOP, CONTINUE_LOOP, REQUIRES_CONSENT, FORBIDDEN, ALLOWED_OPERATIONS -> "-";
    };
  }

  private static String start(RuleType.StartConstraint start) {
    List<String> words = new ArrayList<>();
    if (start.args() != null) {
      words.add("args " + oneLine(start.args()));
    }
    if (!start.auto()) {
      words.add("no auto");
    }
    return String.join("; ", words);
  }

  private static String consent(RuleType.RequiresConsent consent) {
    List<String> words = new ArrayList<>();
    if (consent.scope() != null) {
      words.add(consent.scope().replaceAll("[\\s\\p{Cntrl}]+", " "));
    }
    if (consent.when() != null) {
      words.add("when " + oneLine(consent.when()));
    }
    if (!consent.bind().isEmpty()) {
      words.add("bind " + String.join(", ", consent.bind()));
    }
    return String.join("; ", words);
  }

  private static String oneLine(Json json) {
    return Json.of(json.tree()).text();
  }

  private static List<String> sorted(Set<String> names) {
    return names.stream().sorted().toList();
  }

  /// The rule with the keys of an agent's file.
  static Json json(ToolRule rule) {
    ObjectNode out = Codec.object();
    out.put("tool_name", rule.tool());
    out.put("rule_type", rule.type().kind().pascal());
    given(out, rule.type());
    out.put("priority", rule.priority());
    out.put("scope", rule.scope().word());
    if (!rule.metadata().equals(Json.EMPTY_OBJECT)) {
      out.set("metadata", rule.metadata().tree());
    }
    return Json.of(out);
  }

  private static void given(ObjectNode out, RuleType type) {
    switch (type) {
      case RuleType.StartConstraint start -> start(out, start);
      case RuleType.RequiresPreceding preceding -> list(out, "conditions", preceding.tools());
      case RuleType.RequiresFollowing following -> list(out, "conditions", following.tools());
      case RuleType.MaxCalls max -> out.put("value", max.max());
      case RuleType.Cooldown cooldown -> out.put("value", Durations.text(cooldown.length()));
      case RuleType.ExclusiveGroups groups -> {
        ArrayNode all = out.putArray("value");
        groups.groups().forEach(group -> sorted(group).forEach(all.addArray()::add));
      }
      case RuleType.ExitLoop exit -> {}
      case RuleType.ContinueLoop more -> {}
      case RuleType.RequiredBeforeExit required -> {}
      case RuleType.RequiredBeforeExitIf required -> list(out, "conditions", required.tools());
      case RuleType.RequiresConsent consent -> consent(out, consent);
      case RuleType.Forbidden forbidden -> {}
      case RuleType.AllowedOperations operations -> list(out, "value", operations.operations());
    }
  }

  private static void list(ObjectNode out, String key, List<String> names) {
    names.forEach(out.putArray(key)::add);
  }

  private static void start(ObjectNode out, RuleType.StartConstraint start) {
    ObjectNode value = Codec.object();
    if (start.args() != null) {
      value.set("args", start.args().tree());
    }
    if (!start.auto()) {
      value.put("auto", false);
    }
    if (!value.isEmpty()) {
      out.set("value", value);
    }
  }

  private static void consent(ObjectNode out, RuleType.RequiresConsent consent) {
    ObjectNode value = Codec.object();
    if (consent.scope() != null) {
      value.put("scope", consent.scope());
    }
    if (consent.when() != null) {
      value.set("when", consent.when().tree());
    }
    if (!consent.bind().isEmpty()) {
      list(value, "bind", consent.bind());
    }
    if (!value.isEmpty()) {
      out.set("value", value);
    }
  }
}
