package dev.switchboard.openapi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The values of the member that says which of several schemas an object has (OpenAPI,
/// "Discriminator Object"). Where the document states none for a schema, it is the schema's name.
///
/// @param property the member
/// @param mapping the stated values by the references that they stand for
record Discriminator(String property, Map<String, List<String>> mapping) {
  private static final int MOST_VALUES = 500;

  /// The most schemas that extend one and are offered instead of it.
  private static final int MOST_OFFERED = 50;

  /// The values of that schema; null if it states no member.
  static @Nullable Discriminator of(JsonNode schema, OpenApiDocument document) {
    JsonNode stated = schema.path("discriminator");
    String property = stated.path("propertyName").asString("");
    JsonNode values = stated.path("mapping");
    if (property.isEmpty() || values.size() > MOST_VALUES) {
      return null;
    }
    Map<String, List<String>> mapping = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> value : values.properties()) {
      String target = value.getValue().asString("");
      boolean name = document.root().path("components").path("schemas").has(target);
      mapping
          .computeIfAbsent(
              name ? Subtypes.COMPONENTS + target : target, unused -> new ArrayList<>())
          .add(value.getKey());
    }
    return new Discriminator(property, mapping);
  }

  /// The values by the references of the schemas that may stand for one that others extend: those
  /// of the mapping and those that extend it. Empty if it has alternatives of its own, or too many.
  ///
  /// @param reference of the schema
  static Map<String, List<String>> offered(String reference, OpenApiDocument document)
      throws Unsupported {
    JsonNode schema = document.referred(reference);
    Discriminator values = of(schema, document);
    if (values == null || schema.has("oneOf") || schema.has("anyOf")) {
      return Map.of();
    }
    Map<String, List<String>> all = values.all(schema, document); // in the document's order
    all.keySet().removeIf(document::isWithout);
    boolean others = all.keySet().stream().anyMatch(each -> !each.equals(reference));
    if (!others || all.size() > MOST_OFFERED) {
      return Map.of();
    }
    if (values.mapping.isEmpty()) {
      all.putIfAbsent(reference, List.of(name(reference))); // it may stand for itself
    }
    return all;
  }

  /// The values by the references of the schemas of the mapping and those that extend that one.
  private Map<String, List<String>> all(JsonNode schema, OpenApiDocument document) {
    Map<String, List<String>> all = new LinkedHashMap<>(mapping);
    for (String name : document.subtypes().of(schema)) {
      all.putIfAbsent(Subtypes.COMPONENTS + name, List.of(name));
    }
    return all;
  }

  /// Adds the values to a converted schema: to each of its alternatives those that stand for it, or
  /// all to the member.
  void add(JsonNode schema, ObjectNode out, OpenApiDocument document) {
    for (String keyword : List.of("oneOf", "anyOf")) {
      JsonNode alternatives = schema.path(keyword);
      if (alternatives.isArray()) {
        String converted = keyword.equals("anyOf") || !out.has("oneOf") ? "anyOf" : "oneOf";
        addToEach(alternatives, out.path(converted), document);
        return;
      }
    }
    if (out.path("properties").path(property) instanceof ObjectNode member) {
      add(schema, member, schema.path("properties").path(property), document);
    }
  }

  /// Adds all values to the member of a schema without alternatives, whose parts have it by
  /// `allOf`.
  void add(JsonNode schema, ObjectNode member, JsonNode stated, OpenApiDocument document) {
    Set<String> values = new LinkedHashSet<>();
    all(schema, document).values().forEach(values::addAll);
    if (values.isEmpty()) {
      return;
    }
    if (mapping.isEmpty()) {
      document
          .root()
          .path("components")
          .path("schemas")
          .forEachEntry((name, each) -> {
            if (isSame(each, schema)) {
              values.add(name);
            }
          });
    }
    if (admits(document.found(stated), values)) {
      ArrayNode all = member.putArray("enum");
      values.forEach(all::add);
    }
  }

  private void addToEach(JsonNode alternatives, JsonNode converted, OpenApiDocument document) {
    for (int i = 0; i < alternatives.size(); i++) {
      String reference = alternatives.get(i).path("$ref").asString("");
      if (!reference.isEmpty() && converted.get(i) instanceof ObjectNode out) {
        List<String> values = mapping.getOrDefault(reference, List.of(name(reference)));
        add(values, document.found(alternatives.get(i)), out, document);
      }
    }
  }

  /// Adds the values that stand for a schema to a reference to it.
  void add(List<String> values, JsonNode target, ObjectNode out, OpenApiDocument document) {
    JsonNode member = document.found(target.path("properties").path(property));
    boolean closed =
        target.path("additionalProperties").isBoolean()
            && !target.path("additionalProperties").booleanValue();
    if (admits(member, Set.copyOf(values)) && !(closed && member.isMissingNode())) {
      ArrayNode all = out.putObject("properties").putObject(property).putArray("enum");
      values.forEach(all::add);
      out.putArray("required").add(property);
    }
  }

  private static String name(String reference) {
    return reference.substring(reference.lastIndexOf('/') + 1);
  }

  /// Whether a member may have one of the values.
  private static boolean admits(JsonNode member, Set<String> values) {
    String only = member.path("const").asString("");
    return (only.isEmpty() || values.contains(only))
        && (!member.path("enum").isArray()
            || member
                .path("enum")
                .valueStream()
                .anyMatch(value -> values.contains(value.asString(""))));
  }

  @SuppressWarnings("ReferenceEquality") // Parts that are alike stand in different places.
  private static boolean isSame(JsonNode one, JsonNode other) {
    return one == other;
  }
}
