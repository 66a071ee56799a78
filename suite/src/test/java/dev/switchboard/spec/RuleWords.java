package dev.switchboard.spec;

import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The words in which the cases speak of rules and tools.
final class RuleWords {
  private RuleWords() {}

  /// Every tool that a rule speaks of.
  static Set<String> names(ToolRule rule) {
    Set<String> names = new HashSet<>(Set.of(rule.tool()));
    names.addAll(rule.type().tools());
    return names;
  }

  /// `{"path": "string, required"}` as a JSON Schema; everything where nothing is said.
  static Json schema(JsonNode words) {
    ObjectNode schema = JsonMapper.shared().createObjectNode().put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    ArrayNode required = schema.putArray("required");
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
