package dev.switchboard.mcp.rpc;

import dev.switchboard.text.JsonPointer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The arguments of a tool that are repeated in HTTP headers, as its schema states by
/// `x-mcp-header` (MCP 2026-07-28, streamable HTTP, "Custom Headers from Tool Parameters").
public final class ParameterHeaders {
  private static final String KEYWORD = "x-mcp-header";
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");
  private static final Set<String> TYPES = Set.of("string", "integer", "boolean");
  private static final Pattern PLAIN =
      Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e\\t]*[\\x21-\\x7e])?");
  private static final String ENCODED = "=?base64?";
  private static final String END = "?=";

  /// A schema with an invalid `x-mcp-header`; the reason is a clause.
  public static final class UnusableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableException(String reason) {
      super(reason);
    }
  }

  private final Map<String, String> places = new LinkedHashMap<>();
  private final Set<String> names = new HashSet<>();

  private ParameterHeaders() {}

  /// The arguments, as JSON pointers, by the names of their headers.
  ///
  /// @throws UnusableException when an `x-mcp-header` is invalid
  public static Map<String, String> of(JsonNode schema) throws UnusableException {
    ParameterHeaders found = new ParameterHeaders();
    if (schema.toString().contains(KEYWORD)) {
      found.read(schema, "", true);
    }
    return found.places;
  }

  /// @param named whether the path consists of properties only
  private void read(JsonNode schema, String place, boolean named) throws UnusableException {
    if (schema.isArray()) {
      for (JsonNode item : schema) {
        read(item, place, false);
      }
    }
    if (!schema.isObject()) {
      return;
    }
    if (schema.has(KEYWORD)) {
      take(schema, place, named);
    }
    for (Map.Entry<String, JsonNode> member : schema.properties()) {
      boolean properties = member.getKey().equals("properties") && member.getValue().isObject();
      if (properties) {
        for (Map.Entry<String, JsonNode> property : member.getValue().properties()) {
          String name = JsonPointer.step(property.getKey());
          read(property.getValue(), place + "/" + name, named);
        }
      } else if (!List.of("enum", "const", "default", "examples").contains(member.getKey())) {
        read(member.getValue(), place, false);
      }
    }
  }

  private void take(JsonNode schema, String place, boolean named) throws UnusableException {
    String name = schema.path(KEYWORD).asString("");
    if (!schema.path(KEYWORD).isString() || !TOKEN.matcher(name).matches()) {
      throw new UnusableException("an x-mcp-header of it cannot be a header's name");
    }
    if (!named || place.isEmpty()) {
      throw new UnusableException("an x-mcp-header of it is not at a plain property");
    }
    if (!TYPES.contains(schema.path("type").asString(""))) {
      throw new UnusableException(
          "an x-mcp-header of it is not at a string, an integer or a boolean");
    }
    if (!names.add(name.toLowerCase(Locale.ROOT))) {
      throw new UnusableException("two of its x-mcp-headers have one name");
    }
    places.put(Protocol.PARAMETER_HEADER + name, place);
  }

  /// The headers of a call with these arguments.
  public static Map<String, String> filled(Map<String, String> places, JsonNode arguments) {
    Map<String, String> headers = new LinkedHashMap<>();
    places.forEach((header, place) -> {
      JsonNode value = arguments.at(place);
      if (value.isValueNode() && !value.isNull()) {
        headers.put(header, encoded(value.asString()));
      }
    });
    return headers;
  }

  /// A text, encoded for a header.
  public static String encoded(String text) {
    boolean marked = text.startsWith(ENCODED) && text.endsWith(END);
    if (!marked && PLAIN.matcher(text).matches()) {
      return text;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ENCODED + Base64.getEncoder().encodeToString(bytes) + END;
  }

  /// The text in a header; null if it is invalid.
  public static @Nullable String decoded(String header) {
    if (!header.startsWith(ENCODED) || !header.endsWith(END)) {
      return PLAIN.matcher(header).matches() || header.isEmpty() ? header : null;
    }
    try {
      String encoded = header.substring(ENCODED.length(), header.length() - END.length());
      byte[] bytes = Base64.getDecoder().decode(encoded);
      boolean padded = encoded.length() % 4 == 0; // the decoder also accepts it unpadded
      return padded ? new String(bytes, StandardCharsets.UTF_8) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
