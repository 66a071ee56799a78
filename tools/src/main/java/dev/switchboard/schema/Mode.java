package dev.switchboard.schema;

import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// The purpose of a generated schema.
enum Mode {
  /// Arguments: optional components may be missing.
  OPEN,
  /// Arguments of a strict tool: all components are present, optional ones may be null.
  STRICT,
  /// Answers: optional components may be missing or null.
  OUTPUT;

  private static final Set<String> STRICT_FORMATS =
      Set.of("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid");
  private static final Set<String> STRICT_LEAVES_OUT =
      Set.of("minLength", "maxLength", "uniqueItems", "minProperties", "maxProperties", "allOf");

  /// Removes what model APIs do not allow in a strict schema; the check still applies it.
  void trim(ObjectNode schema) {
    if (this == STRICT) {
      schema.remove(STRICT_LEAVES_OUT);
      if (schema.remove("contentEncoding") != null) {
        schema.put("pattern", "^[A-Za-z0-9+/]*={0,2}$");
      }
      if (!STRICT_FORMATS.contains(schema.path("format").asString(""))) {
        schema.remove("format");
      }
    }
  }
}
