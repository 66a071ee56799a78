package dev.switchboard.check;

import tools.jackson.databind.JsonNode;

/// Whether a text's value and what it was bound to are the same, but for what Java's types round or
/// fill in.
public final class Likeness {
  private Likeness() {}

  public static boolean holds(JsonNode given, JsonNode written) {
    if (given.isNumber() && written.isNumber()) {
      return Equality.same(given, written)
          || given.decimalValue().doubleValue() == written.decimalValue().doubleValue()
          || given.decimalValue().floatValue() == written.decimalValue().floatValue();
    }
    if (given.isString() && written.isString()) {
      return given.equals(written) || sameTime(given.stringValue(), written.stringValue());
    }
    if (given.isArray() && written.isArray() && given.size() == written.size()) {
      for (int i = 0; i < given.size(); i++) {
        if (!holds(given.get(i), written.get(i))) {
          return false;
        }
      }
      return true;
    }
    if (given.isObject() && written.isObject()) {
      return given.properties().stream()
          .allMatch(member -> {
            JsonNode other = written.get(member.getKey());
            return other == null
                ? member.getValue().isNull()
                : member.getValue().isNull() || holds(member.getValue(), other);
          });
    }
    return given.equals(written);
  }

  private static boolean sameTime(String given, String written) {
    for (TextType type : TextType.values()) {
      Object one = type.bind(given);
      if (one != null && one.equals(type.bind(written))) {
        return true;
      }
    }
    return false;
  }
}
