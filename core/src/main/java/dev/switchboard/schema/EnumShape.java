package dev.switchboard.schema;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/// One of some strings.
///
/// @param constants what each is bound to, in the schema's order; itself for a schema stated as
///   JSON
record EnumShape(Map<String, Object> constants) implements Shape {
  @Override
  public Object read(Tokens in) {
    Object constant = constants.get(in.string());
    if (constant == null) {
      throw Mismatch.INSTANCE;
    }
    return constant;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!value.isString() || !constants.containsKey(value.stringValue())) {
      faults.add(at, expected(), Found.of(value));
    }
  }

  @Override
  public String expected() {
    StringBuilder text = new StringBuilder();
    constants
        .keySet()
        .forEach(name -> text.append(text.isEmpty() ? "" : ",").append(Found.quoted(name)));
    return constants.size() == 1 ? text.toString() : "one of [" + text + "]";
  }
}
