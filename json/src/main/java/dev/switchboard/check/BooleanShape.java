package dev.switchboard.check;

import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/// True or false.
enum BooleanShape implements Shape {
  INSTANCE;

  @Override
  public Object read(JsonTokens in) {
    JsonToken token = in.token();
    if (token == JsonToken.VALUE_TRUE) {
      return true;
    }
    if (token == JsonToken.VALUE_FALSE) {
      return false;
    }
    throw Mismatch.INSTANCE;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!value.isBoolean()) {
      faults.add(at, this, value);
    }
  }

  @Override
  public String expected() {
    return "boolean";
  }
}
