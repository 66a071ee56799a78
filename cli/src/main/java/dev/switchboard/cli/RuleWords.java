package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleKind;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A rule as text and as JSON.
final class RuleWords {
  private RuleWords() {}

  /// The parameter of that type, empty for none.
  static String parameter(RuleType type) {
    JsonNode value = type.value().tree();
    return value.isObject()
        ? value
            .propertyStream()
            .map(member -> member(member.getKey(), member.getValue()))
            .collect(Collectors.joining("; "))
        : words(value);
  }

  private static String member(String name, JsonNode value) {
    if (value.isBoolean()) {
      return (value.booleanValue() ? "" : "no ") + name;
    }
    return value.isString()
        ? value.stringValue().replaceAll("[\\s\\p{Cntrl}]+", " ")
        : name + " " + words(value);
  }

  private static String words(JsonNode value) {
    if (value.isArray()) {
      String separator = value.path(0).isArray() ? "; " : ", ";
      return value.valueStream().map(RuleWords::words).collect(Collectors.joining(separator));
    }
    return value.isObject() ? Json.of(value).text() : value.asString("");
  }

  /// The scope of the earlier calls that count; a dash for none.
  static String scope(ToolRule rule) {
    return rule.type().usualScope() == null ? "-" : rule.scope().word();
  }

  /// The rule with the keys of an agent's file.
  static Json json(ToolRule rule) {
    RuleKind kind = RuleKind.of(rule.type());
    JsonNode value = rule.type().value().tree();
    ObjectNode out = Codec.object();
    out.put("tool_name", rule.tool());
    out.put("rule_type", kind.pascal());
    if (!value.isNull()) {
      out.set(kind.form() == RuleKind.Form.TOOLS ? "conditions" : "value", value);
    }
    out.put("priority", rule.priority());
    out.put("scope", rule.scope().word());
    if (!rule.metadata().equals(Json.EMPTY_OBJECT)) {
      out.set("metadata", rule.metadata().tree());
    }
    return Json.of(out);
  }
}
