package dev.switchboard.schema;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// What [Default] annotations say.
final class Defaults {
  private Defaults() {}

  /// The default as JSON, or null when its text does not fit the shape.
  static @Nullable JsonNode value(String text, Shape shape) {
    JsonNode string = JsonNodeFactory.instance.stringNode(text);
    try {
      JsonNode tree = Json.text(text).tree();
      if (shape.accepts(tree, new Faults())) {
        return tree;
      }
    } catch (JsonException e) {
      return shape.accepts(string, new Faults()) ? string : null;
    }
    return shape.accepts(string, new Faults()) ? string : null;
  }

  /// What a component gets whose default is this.
  static Absent absent(JsonNode value, Shape shape, Wrapping wrapping) {
    Absent.Fresh fresh = new Absent.Fresh(shape, value, wrapping);
    boolean mutable =
        value.isContainer() || shape instanceof StringShape string && string.bindsArray();
    return mutable ? fresh : new Absent.Constant(fresh.value());
  }
}
