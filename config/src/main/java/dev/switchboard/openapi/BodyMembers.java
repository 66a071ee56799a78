package dev.switchboard.openapi;

import static java.util.Collections.newSetFromMap;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The members of a body that is a plain object, also one composed by `allOf`. They become
/// arguments beside the parameters, which models fill in best.
///
/// @param schemas by name, as the document states them, without `readOnly` ones
/// @param open whether it explicitly allows others too
record BodyMembers(Map<String, JsonNode> schemas, Set<String> required, boolean open) {
  private static final int MOST_PARTS = 100;

  /// The keywords that a plain object may have.
  private static final Set<String> WORDS =
      Set.of(
          "$ref",
          "type",
          "properties",
          "required",
          "allOf",
          "additionalProperties",
          "description",
          "title",
          "example",
          "examples",
          "externalDocs",
          "xml",
          "discriminator",
          "deprecated",
          "default",
          "nullable",
          "writeOnly");

  /// The members of that schema; null if it is not a plain object, or two of its parts define the
  /// same member.
  static @Nullable BodyMembers of(JsonNode schema, OpenApiDocument document, Schemas schemas)
      throws Unsupported {
    List<JsonNode> parts = new ArrayList<>();
    Set<JsonNode> seen = newSetFromMap(new IdentityHashMap<>());
    if (!collect(document.found(schema), document, parts, seen)) {
      return null;
    }
    Map<String, JsonNode> members = new LinkedHashMap<>();
    Set<String> required = new LinkedHashSet<>();
    boolean open = false;
    boolean closed = false;
    for (JsonNode part : parts) {
      schemas.read(part.path("properties").size());
      for (Map.Entry<String, JsonNode> member : part.path("properties").properties()) {
        JsonNode other = members.putIfAbsent(member.getKey(), member.getValue());
        if (other != null && !other.equals(member.getValue())) {
          return null;
        }
      }
      Discriminator values = Discriminator.of(part, document);
      if (values != null && members.get(values.property()) instanceof ObjectNode stated) {
        ObjectNode member = stated.deepCopy();
        values.add(part, member, stated, document);
        members.put(values.property(), member);
      }
      part.path("required").forEach(name -> required.add(name.asString("")));
      JsonNode others = part.path("additionalProperties");
      open |= others.isObject() || others.asBoolean(false);
      closed |= others.isBoolean() && !others.booleanValue();
    }
    if (closed && parts.size() > 1) {
      return null;
    }
    Set<String> hidden = new HashSet<>();
    schemas.addReadOnly(document.found(schema), hidden, newSetFromMap(new IdentityHashMap<>()));
    members.keySet().removeAll(hidden);
    required.removeAll(hidden);
    boolean whole = !members.isEmpty() && members.keySet().containsAll(required);
    return whole ? new BodyMembers(members, required, open) : null;
  }

  /// Adds the parts that `allOf` names; returns whether all are plain objects.
  private static boolean collect(
      JsonNode schema, OpenApiDocument document, List<JsonNode> parts, Set<JsonNode> seen)
      throws Unsupported {
    if (!seen.add(schema)) {
      return true;
    }
    if (!schema.isObject() || seen.size() > MOST_PARTS || !isPlain(schema)) {
      return false;
    }
    for (JsonNode part : schema.path("allOf")) {
      if (!collect(document.found(part), document, parts, seen)) {
        return false;
      }
    }
    parts.add(schema);
    return true;
  }

  private static boolean isPlain(JsonNode schema) {
    String type = schema.path("type").asString("object");
    return type.equals("object")
        && !schema.path("nullable").asBoolean(false)
        && schema.propertyNames().stream()
            .allMatch(word -> WORDS.contains(word) || word.startsWith("x-"));
  }
}
