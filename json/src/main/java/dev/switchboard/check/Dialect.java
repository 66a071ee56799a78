package dev.switchboard.check;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A dialect of JSON Schema: its keywords, and what they are in those of 2020-12.
enum Dialect {
  DRAFT_4("draft-04"),
  DRAFT_6("draft-06"),
  DRAFT_7("draft-07"),
  DRAFT_2019("2019-09"),
  DRAFT_2020("2020-12"),
  /// 2020-12 with the older forms that it has no other meaning for; of schemas that others made and
  /// that declare no dialect.
  UNDECLARED("2020-12");

  private static final Pattern URI =
      Pattern.compile(
          "https?://(?:www\\.)?json-schema\\.org/draft[/-](04|05|06|07|2019-09|2020-12)/(?:hyper-)?schema#?");

  /// The dialects that other URIs name.
  private static final Pattern LATEST =
      Pattern.compile(
          "https?://(?:www\\.)?json-schema\\.org/schema#?"
              + "|https://spec\\.openapis\\.org/oas/3\\.[12]/dialect/.*");

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /// The mark of a schema that null matches, too.
  static final String NULLABLE = "nullable";

  /// The anchor that `$recursiveAnchor` sets.
  private static final String RECURSIVE = "$recursiveAnchor";

  /// The first dialect that has a keyword; all others are in every dialect.
  private static final Map<Keyword, Dialect> SINCE =
      Map.ofEntries(
          Map.entry(Keyword.CONST, DRAFT_6),
          Map.entry(Keyword.CONTAINS, DRAFT_6),
          Map.entry(Keyword.PROPERTY_NAMES, DRAFT_6),
          Map.entry(Keyword.IF, DRAFT_7),
          Map.entry(Keyword.THEN, DRAFT_7),
          Map.entry(Keyword.ELSE, DRAFT_7),
          Map.entry(Keyword.MIN_CONTAINS, DRAFT_2019),
          Map.entry(Keyword.MAX_CONTAINS, DRAFT_2019),
          Map.entry(Keyword.DEPENDENT_REQUIRED, DRAFT_2019),
          Map.entry(Keyword.DEPENDENT_SCHEMAS, DRAFT_2019),
          Map.entry(Keyword.UNEVALUATED_ITEMS, DRAFT_2019),
          Map.entry(Keyword.UNEVALUATED_PROPERTIES, DRAFT_2019),
          Map.entry(Keyword.PREFIX_ITEMS, DRAFT_2020),
          Map.entry(Keyword.DYNAMIC_REF, DRAFT_2020),
          Map.entry(Keyword.DYNAMIC_ANCHOR, DRAFT_2020));

  /// The keywords that count beside a `$ref` where it hides others.
  private static final Set<Keyword> BESIDE_REFERENCES =
      Set.of(Keyword.REF, Keyword.DEFS, Keyword.DEFINITIONS, Keyword.SCHEMA);

  private final String word;

  Dialect(String word) {
    this.word = word;
  }

  /// The dialect of that `$schema`, or null for an unknown one.
  static @Nullable Dialect of(String uri) {
    Matcher matcher = URI.matcher(uri.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return LATEST.matcher(uri.strip()).matches() ? DRAFT_2020 : null;
    }
    return switch (matcher.group(1)) {
      case "04", "05" -> DRAFT_4;
      case "06" -> DRAFT_6;
      case "07" -> DRAFT_7;
      case "2019-09" -> DRAFT_2019;
      default -> DRAFT_2020;
    };
  }

  /// Its name.
  String word() {
    return word;
  }

  /// Whether it has that keyword.
  boolean has(Keyword keyword) {
    return SINCE.getOrDefault(keyword, DRAFT_4).ordinal() <= ordinal();
  }

  /// Whether it has `$recursiveRef`.
  boolean hasRecursion() {
    return this == DRAFT_2019 || this == UNDECLARED;
  }

  /// Whether only the `$ref` of that schema counts.
  boolean hidesBeside(JsonNode schema) {
    return ordinal() <= DRAFT_7.ordinal() && schema.path("$ref").isString();
  }

  /// That schema in the keywords of 2020-12, with the values that it has; itself where it already
  /// is.
  ///
  /// @param foreign whether others made it: null is an absent keyword there, and `nullable` counts
  /// @param recursive whether its resource has a `$recursiveAnchor`
  ObjectNode words(ObjectNode schema, boolean foreign, boolean recursive) {
    if (this == DRAFT_2020 && !foreign) {
      return schema;
    }
    ObjectNode out = NODES.objectNode();
    boolean hidden = hidesBeside(schema);
    for (Map.Entry<String, JsonNode> entry : schema.properties()) {
      Keyword keyword = Keyword.of(entry.getKey());
      boolean absent = foreign && entry.getValue().isNull() && keyword != Keyword.CONST;
      if (!absent && (!hidden || BESIDE_REFERENCES.contains(keyword))) {
        write(entry.getKey(), keyword, schema, recursive, out);
      }
    }
    if (foreign && schema.path(NULLABLE).asBoolean(false)) {
      addNull(out);
    }
    return out;
  }

  private void write(
      String name,
      @Nullable Keyword keyword,
      ObjectNode schema,
      boolean recursive,
      ObjectNode out) {
    JsonNode value = schema.path(name);
    boolean tuple = this != DRAFT_2020 && schema.path("items").isArray();
    switch (name) {
      case "id", "$id" -> identify(name, value, out);
      case "items" -> out.set(tuple ? "prefixItems" : name, value);
      case "additionalItems" -> {
        if (tuple) {
          out.set("items", value);
        }
      }
      case "minimum", "maximum" -> {
        if (!schema.path(exclusive(name)).asBoolean(false) || !readsBooleanLimits()) {
          out.set(name, value);
        }
      }
      case "exclusiveMinimum", "exclusiveMaximum" -> limit(name, value, schema, out);
      case "$recursiveRef" -> {
        if (hasRecursion()) {
          boolean toItself = recursive && value.asString("").equals("#");
          out.set("$dynamicRef", toItself ? NODES.stringNode("#" + RECURSIVE) : value);
        }
      }
      case RECURSIVE -> {
        if (hasRecursion() && value.asBoolean(false)) {
          out.put("$dynamicAnchor", RECURSIVE);
        }
      }
      default -> {
        if (keyword != null && has(keyword)) {
          out.set(name, value);
        }
      }
    }
  }

  private void identify(String name, JsonNode value, ObjectNode out) {
    if (name.equals("id") != (this == DRAFT_4)) {
      return; // `id` of draft-04 is `$id` later; elsewhere it has no meaning
    }
    boolean anchor =
        ordinal() <= DRAFT_7.ordinal() && value.isString() && value.stringValue().startsWith("#");
    if (anchor) {
      out.put("$anchor", value.stringValue().substring(1));
    } else {
      out.set("$id", value);
    }
  }

  private static String exclusive(String limit) {
    return limit.equals("minimum") ? "exclusiveMinimum" : "exclusiveMaximum";
  }

  private boolean readsBooleanLimits() {
    return this == DRAFT_4 || this == UNDECLARED;
  }

  /// A boolean one of draft-04 says of what kind the limit beside it is.
  private void limit(String name, JsonNode value, ObjectNode schema, ObjectNode out) {
    if (!value.isBoolean() || !readsBooleanLimits()) {
      out.set(name, value);
      return;
    }
    JsonNode limit = schema.path(name.equals("exclusiveMinimum") ? "minimum" : "maximum");
    if (value.booleanValue() && !limit.isMissingNode()) {
      out.set(name, limit);
    }
  }

  /// Adds null, as OpenAPI's `nullable` does: to the type, or as a mark for the compiler.
  private static void addNull(ObjectNode out) {
    JsonNode type = out.path("type");
    boolean plain =
        !type.isMissingNode()
            && !out.has("const")
            && !out.has("$ref")
            && !out.has("allOf")
            && !out.has("anyOf")
            && !out.has("oneOf");
    if (!plain) {
      out.put(NULLABLE, true);
      return;
    }
    ArrayNode types = out.putArray("type");
    (type.isArray() ? type.values() : List.of(type)).forEach(types::add);
    if (types.values().stream().noneMatch(each -> each.asString("").equals("null"))) {
      types.add("null");
    }
    if (out.path("enum").isArray()
        && out.path("enum").values().stream().noneMatch(JsonNode::isNull)) {
      ArrayNode values = NODES.arrayNode().addAll(out.path("enum").values());
      out.set("enum", values.addNull());
    }
  }
}
