package dev.switchboard.check;

import tools.jackson.databind.JsonNode;

/// No value: the schema `false`.
enum NeverShape implements Shape {
  INSTANCE;

  @Override
  public Object read(JsonTokens in) {
    throw Mismatch.INSTANCE;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    faults.add(at, this, value);
  }

  @Override
  public String expected() {
    return "nothing";
  }
}
