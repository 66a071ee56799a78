package dev.switchboard.check;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A value of another shape, bound to an object that holds nothing else.
record ConstructedShape(Shape content, Maker maker) implements Shape {
  @Override
  public Object read(JsonTokens in) {
    @Nullable Object[] values = maker.values();
    values[0] = content.read(in);
    return maker.make(values);
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    int before = faults.size();
    content.explain(value, at, faults);
    if (faults.size() == before) {
      Maker.explain(this, value, at, faults);
    }
  }

  @Override
  public String expected() {
    return content.expected();
  }
}
