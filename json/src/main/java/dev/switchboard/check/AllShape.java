package dev.switchboard.check;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A value that matches several shapes.
record AllShape(List<Shape> parts) implements Shape {
  @Override
  public @Nullable Object read(JsonTokens in) {
    JsonNode value = in.tree();
    Faults budget = in.budget();
    for (Shape part : parts) {
      if (!part.accepts(value, budget)) {
        throw Mismatch.INSTANCE;
      }
    }
    return null;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    faults.step();
    for (Shape part : parts) {
      if (!faults.decided()) {
        part.explain(value, at, faults);
      }
    }
  }

  @Override
  public String expected() {
    return parts.stream()
        .map(Shape::expected)
        .filter(words -> !words.equals("any value"))
        .findFirst()
        .orElse("any value");
  }
}
