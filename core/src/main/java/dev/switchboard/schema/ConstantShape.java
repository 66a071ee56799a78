package dev.switchboard.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One of some values, not all of them strings.
record ConstantShape(List<JsonNode> values) implements Shape {
  @Override
  public @Nullable Object read(Tokens in) {
    JsonNode value = in.tree();
    if (!contains(value)) {
      throw Mismatch.INSTANCE;
    }
    return null;
  }

  private boolean contains(JsonNode value) {
    for (JsonNode constant : values) {
      if (Equality.same(constant, value)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!contains(value)) {
      faults.add(at, expected(), Found.of(value));
    }
  }

  @Override
  public String expected() {
    String list = String.join(",", values.stream().map(JsonNode::toString).toList());
    return values.size() == 1 ? list : "one of [" + list + "]";
  }
}
