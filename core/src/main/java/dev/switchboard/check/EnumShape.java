package dev.switchboard.check;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// One of several strings.
///
/// @param constants the bound value of each, in the schema's order; itself for a schema stated as
///   JSON
record EnumShape(Map<String, Object> constants) implements Shape {
  /// One of these words, bound to themselves.
  static EnumShape of(Iterable<String> words) {
    Map<String, Object> constants = new LinkedHashMap<>();
    words.forEach(word -> constants.put(word, word));
    return new EnumShape(constants);
  }

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
      faults.add(at, this, value);
    }
  }

  @Override
  public String expected() {
    return ConstantShape.expected(constants.keySet().stream().map(Found::quoted).toList());
  }
}
