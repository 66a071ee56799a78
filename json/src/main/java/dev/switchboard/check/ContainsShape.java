package dev.switchboard.check;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// An array with some items of a shape.
record ContainsShape(Shape item, Cardinality count) implements Shape {
  @Override
  public @Nullable Object read(JsonTokens in) {
    readAsTree(in);
    return null;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!value.isArray()) {
      return;
    }
    faults.step(1 + value.size());
    int found = 0;
    for (JsonNode each : value) {
      found += item.accepts(each, faults) ? 1 : 0;
    }
    if (!count.admits(found)) {
      faults.add(
          at,
          count.describe(
              "array", "item that is " + item.expected(), "items that are " + item.expected()),
          found == 0 ? "none of them" : found + " of them");
    }
  }

  @Override
  public String expected() {
    return "any value";
  }
}
