package dev.switchboard.json;

import dev.switchboard.text.Sha256;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The canonical text of a value: members sorted by UTF-16 code unit as in RFC 8785, numbers by
/// value.
final class Canonical {
  private Canonical() {}

  static String digest(Json json) {
    return Sha256.hex(text(json));
  }

  private static String text(Json json) {
    try {
      StringBuilder out = new StringBuilder();
      write(json.tree(), out);
      return out.toString();
    } catch (JsonException e) {
      return json.text();
    }
  }

  private static void write(JsonNode node, StringBuilder out) {
    if (node.isObject()) {
      TreeMap<String, JsonNode> members = new TreeMap<>();
      node.forEachEntry(members::put);
      char separator = '{';
      for (var member : members.entrySet()) {
        out.append(separator).append(quoted(member.getKey())).append(':');
        write(member.getValue(), out);
        separator = ',';
      }
      out.append(separator == '{' ? "{}" : "}");
    } else if (node.isArray()) {
      char separator = '[';
      for (JsonNode item : node) {
        out.append(separator);
        write(item, out);
        separator = ',';
      }
      out.append(separator == '[' ? "[]" : "]");
    } else if (node.isNumber()) {
      // Never toPlainString: 1e999999999 would exhaust the memory.
      out.append(node.decimalValue().stripTrailingZeros());
    } else {
      out.append(node);
    }
  }

  private static String quoted(String name) {
    return JsonNodeFactory.instance.stringNode(name).toString();
  }
}
