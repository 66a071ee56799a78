package dev.switchboard.spec;

import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleKind;
import dev.switchboard.rule.RuleScope;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The words in which the cases speak of rules and tools.
final class RuleWords {
  private RuleWords() {}

  static List<ToolRule> rules(JsonNode list) {
    return list.valueStream().map(RuleWords::rule).toList();
  }

  private static ToolRule rule(JsonNode rule) {
    ToolRule made = ToolRule.of(rule.path("tool").stringValue(), type(rule));
    if (rule.has("scope")) {
      made = made.scope(Objects.requireNonNull(RuleScope.ofWord(rule.path("scope").stringValue())));
    }
    return made.priority(rule.path("priority").asInt(ToolRule.DEFAULT_PRIORITY));
  }

  private static RuleType type(JsonNode rule) {
    List<String> conditions = strings(rule.path("conditions"));
    RuleKind kind = Objects.requireNonNull(RuleKind.of(rule.path("type").stringValue()));
    return switch (kind) {
      case START_CONSTRAINT -> new RuleType.StartConstraint(null, true);
      case REQUIRES_PRECEDING -> new RuleType.RequiresPreceding(conditions);
      case REQUIRES_FOLLOWING -> new RuleType.RequiresFollowing(conditions);
      case MAX_CALLS -> new RuleType.MaxCalls(rule.path("max").intValue());
      case COOLDOWN -> new RuleType.Cooldown(Duration.ofMillis(rule.path("ms").longValue()));
      case EXCLUSIVE_GROUPS -> new RuleType.ExclusiveGroups(groups(rule.path("groups")));
      case EXIT_LOOP -> new RuleType.ExitLoop();
      case CONTINUE_LOOP -> new RuleType.ContinueLoop();
      case REQUIRED_BEFORE_EXIT -> new RuleType.RequiredBeforeExit();
      case REQUIRED_BEFORE_EXIT_IF -> new RuleType.RequiredBeforeExitIf(conditions);
      case REQUIRES_CONSENT ->
          new RuleType.RequiresConsent(null, when(rule.path("when")), bind(rule));
      case FORBIDDEN -> new RuleType.Forbidden();
      case ALLOWED_OPERATIONS -> new RuleType.AllowedOperations(strings(rule.path("ops")));
    };
  }

  /// The case's grant for a command must not hold for another: bound to its argument.
  private static List<String> bind(JsonNode rule) {
    return rule.path("tool").stringValue().equals("shell") ? List.of("cmd") : List.of();
  }

  /// The cases say `amount > 1000` where the contract has a JSON Schema.
  private static Json when(JsonNode condition) {
    if (condition.isMissingNode()) {
      return null;
    }
    String[] parts = condition.stringValue().split(" > ");
    return Json.text(
        "{\"properties\":{\"%s\":{\"exclusiveMinimum\":%s}}}".formatted(parts[0], parts[1]));
  }

  private static List<Set<String>> groups(JsonNode groups) {
    return groups.valueStream().map(group -> Set.copyOf(strings(group))).toList();
  }

  static List<String> strings(JsonNode list) {
    return list.valueStream().map(JsonNode::stringValue).toList();
  }

  /// Every tool that a rule speaks of.
  static Set<String> names(ToolRule rule) {
    Set<String> names = new HashSet<>(Set.of(rule.tool()));
    switch (rule.type()) {
      case RuleType.RequiresPreceding(var tools) -> names.addAll(tools);
      case RuleType.RequiresFollowing(var tools) -> names.addAll(tools);
      case RuleType.RequiredBeforeExitIf(var tools) -> names.addAll(tools);
      case RuleType.ExclusiveGroups(var groups) -> groups.forEach(names::addAll);
      case RuleType other -> {}
    }
    return names;
  }

  /// What a tool declares of itself: `["ExitLoop"]` or `[["MaxCalls", 1]]`.
  static RuleType[] declared(JsonNode declares) {
    List<RuleType> types = new ArrayList<>();
    for (JsonNode one : declares) {
      String name = one.isArray() ? one.get(0).stringValue() : one.stringValue();
      int max = one.isArray() ? one.get(1).intValue() : 0;
      types.add(name.equals("MaxCalls") ? new RuleType.MaxCalls(max) : new RuleType.ExitLoop());
    }
    return types.toArray(RuleType[]::new);
  }

  /// `{"path": "string, required"}` as a JSON Schema; everything where nothing is said.
  static Json schema(JsonNode words) {
    var schema = JsonMapper.shared().createObjectNode().put("type", "object");
    var properties = schema.putObject("properties");
    var required = schema.putArray("required");
    words.forEachEntry((name, word) -> {
      String[] parts = word.stringValue().split(", ");
      properties.putObject(name).put("type", parts[0]);
      if (parts.length > 1) {
        required.add(name);
      }
    });
    return Json.of(schema);
  }
}
