package dev.switchboard.openapi;

import static java.util.Collections.newSetFromMap;

import dev.switchboard.json.Json;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Converts the schemas of a document to JSON Schema 2020-12 for a model: without members that a
/// service only returns (`readOnly`), and without keywords for documentation tools. What of them is
/// checked is decided where the tool is built.
///
/// The target of a reference is converted once and shared by all tools, so its tree must not be
/// changed.
final class Schemas {
  /// The maximum characters of one tool's schema.
  private static final int LONGEST = 200_000;

  /// The maximum characters of the schemas of all tools, plus a few for each part that was read.
  private static final long MOST_WORK = 16_000_000;

  private static final int FOR_A_PART = 10;
  private static final long FOR_A_PATTERN = 1_000;
  private static final int FOR_A_REPEAT = 20;
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,6}");

  /// Before a reference: to any of the schemas that extend its target.
  private static final String ANY_OF = "any of ";

  private static final int DEEPEST = 100;
  private static final int MOST_PARTS = 50;
  private static final int LONGEST_WAY = 5; // references from one schema to a keyword
  private static final int LONGEST_DESCRIPTION = 500;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /// Keywords that are kept unchanged.
  private static final Set<String> KEPT =
      Set.of(
          "const",
          "maximum",
          "minimum",
          "multipleOf",
          "maxLength",
          "minLength",
          "format",
          "maxItems",
          "minItems",
          "uniqueItems",
          "maxProperties",
          "minProperties",
          "maxContains",
          "minContains",
          "dependentRequired",
          "default",
          "deprecated",
          "writeOnly",
          "contentEncoding",
          "contentMediaType");

  private static final Set<String> OF_ONE_SCHEMA =
      Set.of(
          "additionalProperties",
          "contains",
          "propertyNames",
          "unevaluatedItems",
          "unevaluatedProperties");
  private static final Set<String> IN_PLACE = Set.of("not", "if", "then", "else");
  private static final Set<String> OF_SCHEMAS = Set.of("patternProperties", "dependentSchemas");

  /// The converted target of a reference.
  ///
  /// @param uses the references in it
  /// @param length as text
  /// @param work its cost, for the conversion and for each tool that has it
  private record Definition(JsonNode schema, Set<String> uses, int length, long work) {}

  private final OpenApiDocument document;
  private final Map<String, Definition> definitions = new HashMap<>();
  private final Map<String, Map<String, List<String>>> offered = new HashMap<>();
  private final Map<String, String> failures = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();
  private final Set<String> taken = new HashSet<>();
  private long work;

  Schemas(OpenApiDocument document) {
    this.document = document;
  }

  /// That schema with 2020-12's keywords.
  ///
  /// @param uses receives the references in it
  JsonNode converted(JsonNode schema, Set<String> uses) throws Unsupported {
    return converted(schema, uses, Set.of(), 1);
  }

  /// The parameters with the definitions that they use.
  Json complete(ObjectNode parameters, Set<String> uses) throws Unsupported {
    ObjectNode definitions = NODES.objectNode();
    ArrayDeque<String> open = new ArrayDeque<>(uses);
    Set<String> seen = new HashSet<>(uses);
    int length = 0;
    while (!open.isEmpty()) {
      String reference = open.remove();
      Definition definition = definition(reference);
      definitions.set(name(reference), definition.schema);
      length += definition.length;
      checkLength(length);
      spend(definition.work);
      definition.uses.stream().filter(seen::add).forEach(open::add);
    }
    if (!definitions.isEmpty()) {
      parameters.set("$defs", definitions);
    }
    Json json = Json.of(parameters);
    spend(json.text().length());
    checkLength(json.text().length());
    return json;
  }

  /// Counts parts that are read; a part may be read for many operations.
  void read(int parts) throws Unsupported {
    spend((long) FOR_A_PART * parts);
  }

  private void spend(long cost) throws Unsupported {
    work += cost;
    if (work > MOST_WORK) {
      throw new Unsupported("comes after schemas that are too large together");
    }
  }

  private static void checkLength(int length) throws Unsupported {
    if (length > LONGEST) {
      throw new Unsupported("its schema has more than " + LONGEST + " characters");
    }
  }

  private Definition definition(String reference) throws Unsupported {
    Definition known = definitions.get(reference);
    if (known != null) {
      return known;
    }
    String failure = failures.get(reference);
    if (failure != null) {
      throw new Unsupported(failure);
    }
    try {
      long before = work;
      Set<String> uses = new LinkedHashSet<>();
      JsonNode schema =
          reference.startsWith(ANY_OF)
              ? extended(reference.substring(ANY_OF.length()), uses)
              : converted(document.referred(reference), uses, Set.of(), 0);
      Definition made = new Definition(schema, uses, schema.toString().length(), work - before);
      definitions.put(reference, made);
      return made;
    } catch (Unsupported e) {
      failures.put(reference, e.why());
      throw e;
    }
  }

  /// Whether others are offered instead of that schema, which they extend.
  boolean isExtended(JsonNode schema) throws Unsupported {
    String reference = schema.path("$ref").asString("");
    return !document.isWithout(reference) && !offered(reference).isEmpty();
  }

  private Map<String, List<String>> offered(String reference) throws Unsupported {
    Map<String, List<String>> known = offered.get(reference);
    if (known == null) {
      known = Discriminator.offered(reference, document);
      read(known.size());
      offered.put(reference, known);
    }
    return known;
  }

  /// Any of the schemas that are offered instead of the one of that reference.
  private JsonNode extended(String reference, Set<String> uses) throws Unsupported {
    JsonNode schema = document.referred(reference);
    Discriminator values = Objects.requireNonNull(Discriminator.of(schema, document));
    ObjectNode out = NODES.objectNode();
    ArrayNode any = out.putArray("anyOf");
    for (Map.Entry<String, List<String>> one : offered(reference).entrySet()) {
      ObjectNode part = any.addObject().put("$ref", definition(one.getKey(), uses));
      values.add(one.getValue(), document.referred(one.getKey()), part, document);
    }
    return out;
  }

  /// The name of a definition in `$defs`: the last segment of its reference, or one derived from
  /// it.
  private String name(String reference) {
    return names.computeIfAbsent(
        reference,
        unused -> {
          String last = NameSanitizer.cleaned(reference.substring(reference.lastIndexOf('/') + 1));
          String name = last;
          for (int i = 2; !taken.add(name); i++) {
            name = last + "_" + i;
          }
          return name;
        });
  }

  /// @param hidden names of members that the surrounding schema excludes
  private JsonNode converted(JsonNode schema, Set<String> uses, Set<String> hidden, int depth)
      throws Unsupported {
    if (depth > DEEPEST) {
      throw new Unsupported("has a schema that nests deeper than " + DEEPEST + " levels");
    }
    if (!schema.isObject()) {
      return schema;
    }
    read(1 + schema.path("enum").size());
    Set<String> dropped = new HashSet<>(hidden);
    addReadOnly(schema, dropped, newSetFromMap(new IdentityHashMap<>()));
    ObjectNode out = NODES.objectNode();
    for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
      String word = keyword.getKey();
      JsonNode value = keyword.getValue();
      if (KEPT.contains(word)) {
        out.set(word, value);
      } else if (OF_ONE_SCHEMA.contains(word)) {
        out.set(word, converted(value, uses, Set.of(), depth + 1));
      } else if (IN_PLACE.contains(word)) {
        out.set(word, converted(value, uses, dropped, depth + 1));
      } else if (OF_SCHEMAS.contains(word) && value.isObject()) {
        out.set(word, members(value, uses, Set.of(), depth));
      } else {
        convert(word, value, uses, dropped, depth, out);
      }
    }
    Settled.required(schema, dropped, out);
    Settled.limits(schema, out);
    Settled.type(schema, out);
    Discriminator values = Discriminator.of(schema, document);
    if (values != null) {
      read(document.root().path("components").path("schemas").size());
      values.add(schema, out, document);
    }
    return out;
  }

  private void convert(
      String word, JsonNode value, Set<String> uses, Set<String> dropped, int depth, ObjectNode out)
      throws Unsupported {
    switch (word) {
      case "$ref" -> out.put("$ref", reference(value.asString(""), uses));
      case "$dynamicRef" -> out.set(word, value);
      case "items" ->
          out.set(
              value.isArray() ? "prefixItems" : word,
              value.isArray()
                  ? list(value, uses, Set.of(), depth)
                  : converted(value, uses, Set.of(), depth + 1));
      case "properties" ->
          out.set(word, value.isObject() ? members(value, uses, dropped, depth) : value);
      case "prefixItems" -> out.set(word, list(value, uses, Set.of(), depth));
      case "allOf" -> out.set(word, parts(value, uses, dropped, depth));
      // The alternatives overlap in many documents, and the service knows which one applies.
      case "anyOf", "oneOf" ->
          out.set(out.has("anyOf") ? "oneOf" : "anyOf", list(value, uses, dropped, depth));
      case "description" ->
          out.put(word, NameSanitizer.description(value.asString(""), LONGEST_DESCRIPTION));
      case "pattern" -> {
        spend(costOf(value.asString("")));
        out.set(word, value);
      }
      case "type", "enum", "required" -> out.set(word, value); // converted later
      default -> {} // without meaning here
    }
  }

  private String reference(String reference, Set<String> uses) throws Unsupported {
    if (document.isWithout(reference)) {
      return reference; // to elsewhere, which is not fetched
    }
    return definition(offered(reference).isEmpty() ? reference : ANY_OF + reference, uses);
  }

  private String definition(String reference, Set<String> uses) {
    uses.add(reference);
    return "#/$defs/" + name(reference);
  }

  /// The parts of a composed schema, which extends them; one part alone within another schema only
  /// has its description there.
  private JsonNode parts(JsonNode schemas, Set<String> uses, Set<String> dropped, int depth)
      throws Unsupported {
    ArrayNode list = NODES.arrayNode();
    for (JsonNode schema : schemas) {
      String reference = schema.path("$ref").asString("");
      if (document.isWithout(reference) || depth > 0 && schemas.size() == 1) {
        list.add(converted(schema, uses, dropped, depth + 1));
      } else {
        ObjectNode rest = ((ObjectNode) schema).deepCopy();
        rest.remove("$ref");
        ObjectNode part = (ObjectNode) converted(rest, uses, dropped, depth + 1);
        list.add(part.put("$ref", definition(reference, uses)));
      }
    }
    return list;
  }

  private JsonNode list(JsonNode schemas, Set<String> uses, Set<String> dropped, int depth)
      throws Unsupported {
    ArrayNode list = NODES.arrayNode();
    for (JsonNode schema : schemas) {
      list.add(converted(schema, uses, dropped, depth + 1));
    }
    return list;
  }

  private ObjectNode members(JsonNode members, Set<String> uses, Set<String> dropped, int depth)
      throws Unsupported {
    ObjectNode out = NODES.objectNode();
    for (Map.Entry<String, JsonNode> member : members.properties()) {
      if (!dropped.contains(member.getKey())) {
        out.set(member.getKey(), converted(member.getValue(), uses, Set.of(), depth + 1));
      }
    }
    return out;
  }

  /// Adds the names of `readOnly` members, including those of composed schemas.
  void addReadOnly(JsonNode schema, Set<String> names, Set<JsonNode> seen) throws Unsupported {
    read(1 + schema.path("properties").size() + schema.path("allOf").size());
    for (Map.Entry<String, JsonNode> member : schema.path("properties").properties()) {
      if (isReadOnly(member.getValue(), 0)) {
        names.add(member.getKey());
      }
    }
    for (JsonNode part : schema.path("allOf")) {
      JsonNode found = document.found(part);
      if (seen.size() < MOST_PARTS && seen.add(found)) {
        addReadOnly(found, names, seen);
      }
    }
  }

  private boolean isReadOnly(JsonNode schema, int depth) throws Unsupported {
    read(1);
    if (depth > LONGEST_WAY) {
      return false;
    }
    if (schema.path("readOnly").asBoolean(false)) {
      return true;
    }
    if (schema.path("$ref").isString()) {
      return isReadOnly(document.found(schema), depth + 1);
    }
    for (JsonNode part : schema.path("allOf")) {
      if (isReadOnly(part, depth + 1)) {
        return true;
      }
    }
    return false;
  }

  /// The cost of compiling a pattern, whose repetitions are expanded.
  private static long costOf(String pattern) {
    long cost = FOR_A_PATTERN + pattern.length();
    Matcher times = NUMBER.matcher(pattern);
    while (times.find()) {
      cost += FOR_A_REPEAT * Long.parseLong(times.group());
    }
    return cost;
  }
}
