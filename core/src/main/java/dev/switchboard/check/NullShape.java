package dev.switchboard.check;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/// The value null.
enum NullShape implements Shape {
  INSTANCE;

  @Override
  public @Nullable Object read(Tokens in) {
    if (in.token() != JsonToken.VALUE_NULL) {
      throw Mismatch.INSTANCE;
    }
    return null;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!value.isNull()) {
      faults.add(at, this, value);
    }
  }

  @Override
  public String expected() {
    return "null";
  }
}
