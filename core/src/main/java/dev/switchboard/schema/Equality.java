package dev.switchboard.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// JSON's equality: numbers by value, members in any order.
final class Equality {
  private Equality() {}

  static boolean same(JsonNode one, JsonNode other) {
    return one.getNodeType() == other.getNodeType() && key(one).equals(key(other));
  }

  static boolean allDiffer(JsonNode array) {
    Set<Object> seen = new HashSet<>();
    for (JsonNode item : array) {
      if (!seen.add(key(item))) {
        return false;
      }
    }
    return true;
  }

  /// A value of Java's own equality that stands for the JSON value.
  private static Object key(JsonNode value) {
    if (value.isNumber()) {
      return value.decimalValue().stripTrailingZeros();
    }
    if (value.isArray()) {
      List<Object> items = new ArrayList<>(value.size());
      value.values().forEach(item -> items.add(key(item)));
      return items;
    }
    if (value.isObject()) {
      Map<String, Object> members = new HashMap<>();
      value.forEachEntry((name, member) -> members.put(name, key(member)));
      return members;
    }
    return value;
  }
}
