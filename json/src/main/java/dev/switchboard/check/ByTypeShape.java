package dev.switchboard.check;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/// A value of one of several JSON types, each with its own shape.
final class ByTypeShape implements Shape {
  private final EnumMap<JsonType, Shape> shapes;
  private final EnumMap<JsonToken, Shape> byToken = new EnumMap<>(JsonToken.class);

  ByTypeShape(Map<JsonType, Shape> shapes) {
    this.shapes = new EnumMap<>(shapes);
    for (JsonToken token : JsonToken.values()) {
      JsonType type = JsonType.of(token);
      Shape shape = type == null ? null : shapes.get(type);
      if (shape != null) {
        byToken.put(token, shape);
      }
    }
  }

  /// The shapes by type.
  Map<JsonType, Shape> shapes() {
    return shapes;
  }

  @Override
  public @Nullable Object read(JsonTokens in) {
    JsonToken token = in.token();
    Shape shape = token == null ? null : byToken.get(token);
    if (shape == null) {
      throw Mismatch.INSTANCE;
    }
    return shape.read(in);
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    JsonType type = JsonType.of(value);
    Shape shape = type == null ? null : shapes.get(type);
    if (shape == null) {
      faults.add(at, this, value);
    } else {
      shape.explain(value, at, faults);
    }
  }

  @Override
  public String expected() {
    if (shapes.isEmpty()) {
      return NeverShape.INSTANCE.expected();
    }
    return String.join(" or ", shapes.values().stream().map(Shape::expected).distinct().toList());
  }
}
