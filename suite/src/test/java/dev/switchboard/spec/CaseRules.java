package dev.switchboard.spec;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleKind;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The rules and tools that a case gives.
record CaseRules(JsonNode given) {
  List<ToolRule> rules() {
    return given.path("rules").valueStream().map(this::rule).toList();
  }

  private ToolRule rule(JsonNode rule) {
    String type = rule.path("type").stringValue();
    boolean perTurn = type.endsWith("PerTurn");
    ToolRule of =
        ToolRule.of(
            rule.path("tool").stringValue(), type(kind(type.replaceFirst("PerTurn$", "")), rule));
    ToolRule scoped = rule.has("scope") ? of.scope(scope(rule)) : of;
    ToolRule ranked =
        rule.has("priority") ? scoped.priority(rule.path("priority").intValue()) : scoped;
    return perTurn ? ranked.scope(ToolRule.Scope.TURN) : ranked;
  }

  private static ToolRule.Scope scope(JsonNode rule) {
    return Objects.requireNonNull(ToolRule.Scope.ofWord(rule.path("scope").stringValue()));
  }

  private static RuleKind kind(String name) {
    return Objects.requireNonNull(RuleKind.of(name), name);
  }

  private RuleType type(RuleKind kind, JsonNode rule) {
    return kind.given(
        switch (kind.form()) {
          case NOTHING -> RuleType.NOTHING;
          case TOOLS -> Json.of(rule.path("conditions"));
          case OPERATIONS -> Json.of(rule.path("ops"));
          case GROUPS -> Json.of(rule.path("groups"));
          case COUNT -> Json.of(rule.path("max"));
          case LENGTH -> Json.of(rule.path("ms").asString() + "ms");
          case START -> start(rule);
          case CONSENT -> consent(rule);
          case CHILDREN -> children(rule);
          case MAPPING -> mapping(rule);
        });
  }

  private static Json children(JsonNode rule) {
    ObjectNode value = object(out -> out.set("children", rule.path("children")));
    return Json.of(rule.has("child_args") ? value.set("args", rule.path("child_args")) : value);
  }

  private static Json mapping(JsonNode rule) {
    ObjectNode value = object(out -> out.set("mapping", rule.path("mapping")));
    for (String key : List.of("default", "require_match")) {
      if (!rule.path(key).isNull() && rule.has(key)) {
        value.set(key, rule.path(key));
      }
    }
    return Json.of(value);
  }

  private Json start(JsonNode rule) {
    boolean auto = given.path("auto_execute").asBoolean(true);
    ObjectNode value = object(out -> out.put("auto", auto));
    return Json.of(rule.has("args") ? value.set("args", rule.path("args")) : value);
  }

  private static Json consent(JsonNode rule) {
    Json when = when(rule);
    ObjectNode value = object(out -> bind(rule).forEach(out.putArray("bind")::add));
    return Json.of(when == null ? value : value.set("when", when.tree()));
  }

  /// The cases say `amount > 1000` where the contract has a JSON Schema.
  private static @Nullable Json when(JsonNode rule) {
    if (!rule.has("when")) {
      return null;
    }
    List<String> parts = List.of(rule.path("when").stringValue().split(" > ", -1));
    return Json.text(
        "{\"properties\":{\"%s\":{\"exclusiveMinimum\":%s}}}"
            .formatted(parts.get(0), parts.get(1)));
  }

  /// R145 means a grant that holds for one command.
  private static List<String> bind(JsonNode rule) {
    return rule.path("tool").stringValue().equals("shell") ? List.of("cmd") : List.of();
  }

  static List<String> strings(JsonNode list) {
    return list.valueStream().map(JsonNode::stringValue).toList();
  }

  /// What the tools of the case declare: a name, or a name and a value.
  List<ToolRule> declared() {
    List<ToolRule> rules = new ArrayList<>();
    given
        .path("tools")
        .forEachEntry((tool, facts) ->
            facts.path("declares").forEach(each -> rules.add(declared(tool, each))));
    return rules;
  }

  private static ToolRule declared(String tool, JsonNode declaration) {
    String name = declaration.isArray() ? declaration.get(0).stringValue() : declaration.asString();
    return kind(name) == RuleKind.MAX_CALLS
        ? ToolRule.maxCalls(tool, declaration.get(1).intValue())
        : ToolRule.exitAfter(tool);
  }

  /// The tools of the case, and those that its rules name.
  List<ToolDefinition> tools() {
    Map<String, JsonNode> facts = new LinkedHashMap<>();
    JsonNode tools = given.path("tools");
    tools.forEachEntry(facts::put);
    if (tools.isArray()) {
      strings(tools).forEach(name -> facts.put(name, given.path("none")));
    }
    for (ToolRule rule : rules()) {
      facts.putIfAbsent(rule.tool(), given.path("none"));
      conditions(rule).forEach(name -> facts.putIfAbsent(name, given.path("none")));
    }
    facts.remove(ToolRule.ANY);
    return facts.entrySet().stream().map(e -> tool(e.getKey(), e.getValue())).toList();
  }

  private static List<String> conditions(ToolRule rule) {
    return switch (RuleKind.of(rule.type())) {
      case REQUIRES_PRECEDING, CHILD, PARENT, CONDITIONAL -> rule.type().tools();
      default -> List.of();
    };
  }

  private static ToolDefinition tool(String name, JsonNode facts) {
    ObjectNode schema = object(out -> out.put("type", "object"));
    ObjectNode properties = schema.putObject("properties");
    ArrayNode required = schema.putArray("required");
    for (String argument : strings(facts.path("required_args"))) {
      properties.putObject(argument);
      required.add(argument);
    }
    if (facts.has("operations")) {
      properties.putObject("op").set("enum", facts.path("operations"));
    }
    facts
        .path("schema")
        .forEachEntry(
            (argument, type) -> properties.putObject(argument).put("type", type.stringValue()));
    return definition(name, Json.of(schema));
  }

  static ToolDefinition definition(String name, @Nullable Json schema) {
    return new ToolDefinition(
        name,
        "",
        schema == null ? Json.text("{\"type\":\"object\"}") : schema,
        false,
        ToolMode.EXTERNAL,
        null,
        null,
        List.of(),
        null);
  }

  private static ObjectNode object(Consumer<ObjectNode> fill) {
    ObjectNode out = Codec.object();
    fill.accept(out);
    return out;
  }
}
