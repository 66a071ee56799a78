package dev.switchboard.schema;

import dev.switchboard.json.Codec;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The references (`$ref`) in a schema.
final class Refs {
  /// Keywords whose values are data, in which nothing is a reference.
  private static final Set<String> DATA = Set.of("const", "enum", "default", "examples");

  /// Keywords whose values have schemas by names of others' choice.
  private static final Set<String> MAPS =
      Set.of(
          "properties",
          "patternProperties",
          "$defs",
          "definitions",
          "dependentSchemas",
          "dependencies");

  private Refs() {}

  /// A copy of the schema, with other references.
  static JsonNode replaced(JsonNode node, UnaryOperator<String> other) {
    if (node instanceof ArrayNode list) {
      ArrayNode out = Codec.object().arrayNode();
      list.forEach(each -> out.add(replaced(each, other)));
      return out;
    }
    if (!(node instanceof ObjectNode stated)) {
      return node;
    }
    ObjectNode out = Codec.object();
    stated.forEachEntry((word, value) -> {
      if (word.equals("$ref") && value.isString()) {
        out.put(word, other.apply(value.stringValue()));
      } else if (MAPS.contains(word) && value.isObject()) {
        ObjectNode parts = out.putObject(word);
        value.forEachEntry((name, part) -> parts.set(name, replaced(part, other)));
      } else {
        out.set(word, DATA.contains(word) ? value : replaced(value, other));
      }
    });
    return out;
  }
}
