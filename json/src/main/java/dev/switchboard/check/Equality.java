package dev.switchboard.check;

import java.util.Arrays;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// JSON's equality: numbers by value, members in any order.
final class Equality {
  private Equality() {}

  static boolean same(JsonNode one, JsonNode other) {
    return one.getNodeType() == other.getNodeType() && key(one).equals(key(other));
  }

  /// Whether all items differ. They are sorted, since an attacker can make a hash table slow.
  static boolean allDiffer(JsonNode array, Faults budget) {
    String[] keys = new String[array.size()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = key(array.get(i));
      budget.step(1 + keys[i].length() / 16);
    }
    Arrays.sort(
        keys,
        (one, other) -> {
          budget.step(1 + Math.min(one.length(), other.length()) / 64);
          return one.compareTo(other);
        });
    for (int i = 1; i < keys.length; i++) {
      if (keys[i].equals(keys[i - 1])) {
        return false;
      }
    }
    return true;
  }

  /// A text that is equal for equal values only.
  static String key(JsonNode value) {
    StringBuilder key = new StringBuilder();
    write(value, key);
    return key.toString();
  }

  private static void write(JsonNode value, StringBuilder key) {
    if (value.isString()) {
      write(value.stringValue(), key);
    } else if (value.isNumber()) {
      key.append('#').append(value.decimalValue().stripTrailingZeros()).append(';');
    } else if (value.isArray()) {
      key.append('[');
      value.forEach(item -> write(item, key));
      key.append(']');
    } else if (value.isObject()) {
      TreeMap<String, JsonNode> members = new TreeMap<>();
      value.forEachEntry(members::put);
      key.append('{');
      members.forEach((name, member) -> {
        write(name, key);
        write(member, key);
      });
      key.append('}');
    } else {
      key.append(value.getNodeType().name().charAt(0)).append(value);
    }
  }

  private static void write(String text, StringBuilder key) {
    key.append('"').append(text.length()).append(':').append(text);
  }
}
