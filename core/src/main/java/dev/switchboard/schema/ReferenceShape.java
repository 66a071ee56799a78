package dev.switchboard.schema;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A shape that is used by more than one place, or within itself. Set once, while the tool is
/// built.
final class ReferenceShape implements Shape {
  private Shape target = NeverShape.INSTANCE;

  void set(Shape shape) {
    target = shape;
  }

  Shape target() {
    return target;
  }

  @Override
  public @Nullable Object read(Tokens in) {
    return target.read(in);
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    target.explain(value, at, faults);
  }

  @Override
  public String expected() {
    return target == this ? "" : target.expected();
  }
}
