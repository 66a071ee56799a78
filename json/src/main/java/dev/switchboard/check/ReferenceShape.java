package dev.switchboard.check;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A shape that is used in several places, or in itself. Set once, while the tool is built.
final class ReferenceShape implements Shape {
  private Shape target = NeverShape.INSTANCE;

  /// Made once, since shapes that refer to each other would be described repeatedly.
  private @Nullable String words;

  void set(Shape shape) {
    target = shape;
  }

  Shape target() {
    return target;
  }

  @Override
  public @Nullable Object read(JsonTokens in) {
    return target.read(in);
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    target.explain(value, at, faults);
  }

  @Override
  public String expected() {
    String known = words;
    if (known == null) {
      known = target == this ? "" : target.expected();
      words = known;
    }
    return known;
  }
}
