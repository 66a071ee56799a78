package dev.switchboard.schema;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The keywords of JSON Schema 2020-12: what stands in each, and whether the one-pass plan knows
/// it.
enum Keyword {
  TYPE("type", Form.TYPE, true),
  PROPERTIES("properties", Form.SCHEMA_MAP, true),
  REQUIRED("required", Form.NAMES, true),
  REF("$ref", Form.REFERENCE, true),
  DYNAMIC_REF("$dynamicRef", Form.REFERENCE, false),
  ENUM("enum", Form.LIST, true),
  CONST("const", Form.ANYTHING, true),
  MINIMUM("minimum", Form.NUMBER, true),
  MAXIMUM("maximum", Form.NUMBER, true),
  EXCLUSIVE_MINIMUM("exclusiveMinimum", Form.NUMBER, true),
  EXCLUSIVE_MAXIMUM("exclusiveMaximum", Form.NUMBER, true),
  MULTIPLE_OF("multipleOf", Form.POSITIVE, true),
  MIN_LENGTH("minLength", Form.COUNT, true),
  MAX_LENGTH("maxLength", Form.COUNT, true),
  PATTERN("pattern", Form.REGEX, true),
  FORMAT("format", Form.STRING, true),
  MIN_ITEMS("minItems", Form.COUNT, true),
  MAX_ITEMS("maxItems", Form.COUNT, true),
  UNIQUE_ITEMS("uniqueItems", Form.BOOLEAN, true),
  MIN_PROPERTIES("minProperties", Form.COUNT, true),
  MAX_PROPERTIES("maxProperties", Form.COUNT, true),
  ADDITIONAL_PROPERTIES("additionalProperties", Form.SCHEMA, true),
  ITEMS("items", Form.SCHEMA, true),
  PREFIX_ITEMS("prefixItems", Form.SCHEMA_LIST, true),
  ALL_OF("allOf", Form.SCHEMA_LIST, true),
  ANY_OF("anyOf", Form.SCHEMA_LIST, true),
  ONE_OF("oneOf", Form.SCHEMA_LIST, true),
  NOT("not", Form.SCHEMA, false),
  IF("if", Form.SCHEMA, false),
  THEN("then", Form.SCHEMA, false),
  ELSE("else", Form.SCHEMA, false),
  PATTERN_PROPERTIES("patternProperties", Form.SCHEMA_MAP, false),
  PROPERTY_NAMES("propertyNames", Form.SCHEMA, false),
  CONTAINS("contains", Form.SCHEMA, false),
  MIN_CONTAINS("minContains", Form.COUNT, false),
  MAX_CONTAINS("maxContains", Form.COUNT, false),
  DEPENDENT_REQUIRED("dependentRequired", Form.NAMES_MAP, false),
  DEPENDENT_SCHEMAS("dependentSchemas", Form.SCHEMA_MAP, false),
  UNEVALUATED_ITEMS("unevaluatedItems", Form.SCHEMA, false),
  UNEVALUATED_PROPERTIES("unevaluatedProperties", Form.SCHEMA, false),
  ANCHOR("$anchor", Form.STRING, false),
  DYNAMIC_ANCHOR("$dynamicAnchor", Form.STRING, false),
  ID("$id", Form.STRING, false),
  DEFS("$defs", Form.SCHEMA_MAP, true),
  DEFINITIONS("definitions", Form.SCHEMA_MAP, true),
  SCHEMA("$schema", Form.STRING, true),
  COMMENT("$comment", Form.STRING, true),
  TITLE("title", Form.STRING, true),
  DESCRIPTION("description", Form.STRING, true),
  DEFAULT("default", Form.ANYTHING, true),
  EXAMPLES("examples", Form.LIST, true),
  DEPRECATED("deprecated", Form.BOOLEAN, true),
  READ_ONLY("readOnly", Form.BOOLEAN, true),
  WRITE_ONLY("writeOnly", Form.BOOLEAN, true),
  CONTENT_ENCODING("contentEncoding", Form.STRING, true),
  CONTENT_MEDIA_TYPE("contentMediaType", Form.STRING, true),
  CONTENT_SCHEMA("contentSchema", Form.SCHEMA, true);

  /// What may stand in a keyword.
  enum Form {
    TYPE,
    SCHEMA,
    SCHEMA_LIST,
    SCHEMA_MAP,
    NAMES,
    NAMES_MAP,
    REFERENCE,
    REGEX,
    STRING,
    BOOLEAN,
    NUMBER,
    POSITIVE,
    COUNT,
    LIST,
    ANYTHING
  }

  private static final Map<String, Keyword> BY_WORD = new HashMap<>();

  static {
    for (Keyword keyword : values()) {
      BY_WORD.put(keyword.word, keyword);
    }
  }

  private final String word;
  private final Form form;
  private final boolean compiled;

  Keyword(String word, Form form, boolean compiled) {
    this.word = word;
    this.form = form;
    this.compiled = compiled;
  }

  /// The keyword written so, or null for a word that JSON Schema does not know and ignores.
  static @Nullable Keyword of(String word) {
    return BY_WORD.get(word);
  }

  String word() {
    return word;
  }

  Form form() {
    return form;
  }

  /// Whether the one-pass plan covers it.
  boolean compiled() {
    return compiled;
  }

  /// Whether its schemas apply to the very value that their owner applies to.
  boolean inPlace() {
    return switch (this) {
      case ALL_OF, ANY_OF, ONE_OF, NOT, IF, THEN, ELSE, DEPENDENT_SCHEMAS -> true;
      default -> false;
    };
  }
}
