package dev.switchboard.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The keywords of JSON Schema 2020-12, with `definitions` and `dependencies` of older drafts, and
/// the form of their values. A [Dialect] reads others as these.
enum Keyword {
  TYPE("type", Form.TYPE),
  PROPERTIES("properties", Form.SCHEMA_MAP),
  REQUIRED("required", Form.NAMES),
  REF("$ref", Form.REFERENCE),
  DYNAMIC_REF("$dynamicRef", Form.REFERENCE),
  ENUM("enum", Form.LIST),
  CONST("const", Form.ANYTHING),
  MINIMUM("minimum", Form.NUMBER),
  MAXIMUM("maximum", Form.NUMBER),
  EXCLUSIVE_MINIMUM("exclusiveMinimum", Form.NUMBER),
  EXCLUSIVE_MAXIMUM("exclusiveMaximum", Form.NUMBER),
  MULTIPLE_OF("multipleOf", Form.POSITIVE),
  MIN_LENGTH("minLength", Form.COUNT),
  MAX_LENGTH("maxLength", Form.COUNT),
  PATTERN("pattern", Form.REGEX),
  FORMAT("format", Form.STRING),
  MIN_ITEMS("minItems", Form.COUNT),
  MAX_ITEMS("maxItems", Form.COUNT),
  UNIQUE_ITEMS("uniqueItems", Form.BOOLEAN),
  MIN_PROPERTIES("minProperties", Form.COUNT),
  MAX_PROPERTIES("maxProperties", Form.COUNT),
  ADDITIONAL_PROPERTIES("additionalProperties", Form.SCHEMA),
  ITEMS("items", Form.SCHEMA),
  PREFIX_ITEMS("prefixItems", Form.SCHEMA_LIST),
  ALL_OF("allOf", Form.SCHEMA_LIST),
  ANY_OF("anyOf", Form.SCHEMA_LIST),
  ONE_OF("oneOf", Form.SCHEMA_LIST),
  NOT("not", Form.SCHEMA),
  IF("if", Form.SCHEMA),
  THEN("then", Form.SCHEMA),
  ELSE("else", Form.SCHEMA),
  PATTERN_PROPERTIES("patternProperties", Form.SCHEMA_MAP),
  PROPERTY_NAMES("propertyNames", Form.SCHEMA),
  CONTAINS("contains", Form.SCHEMA),
  MIN_CONTAINS("minContains", Form.COUNT),
  MAX_CONTAINS("maxContains", Form.COUNT),
  DEPENDENT_REQUIRED("dependentRequired", Form.NAMES_MAP),
  DEPENDENT_SCHEMAS("dependentSchemas", Form.SCHEMA_MAP),
  DEPENDENCIES("dependencies", Form.NAMES_OR_SCHEMA_MAP),
  UNEVALUATED_ITEMS("unevaluatedItems", Form.SCHEMA),
  UNEVALUATED_PROPERTIES("unevaluatedProperties", Form.SCHEMA),
  ANCHOR("$anchor", Form.STRING),
  DYNAMIC_ANCHOR("$dynamicAnchor", Form.STRING),
  ID("$id", Form.STRING),
  DEFS("$defs", Form.SCHEMA_MAP),
  DEFINITIONS("definitions", Form.SCHEMA_MAP),
  SCHEMA("$schema", Form.STRING),
  COMMENT("$comment", Form.STRING),
  TITLE("title", Form.STRING),
  DESCRIPTION("description", Form.STRING),
  DEFAULT("default", Form.ANYTHING),
  EXAMPLES("examples", Form.LIST),
  DEPRECATED("deprecated", Form.BOOLEAN),
  READ_ONLY("readOnly", Form.BOOLEAN),
  WRITE_ONLY("writeOnly", Form.BOOLEAN),
  CONTENT_ENCODING("contentEncoding", Form.STRING),
  CONTENT_MEDIA_TYPE("contentMediaType", Form.STRING),
  CONTENT_SCHEMA("contentSchema", Form.SCHEMA);

  /// The form of a keyword's value.
  enum Form {
    TYPE,
    SCHEMA,
    SCHEMA_LIST,
    SCHEMA_MAP,
    NAMES,
    NAMES_MAP,
    NAMES_OR_SCHEMA_MAP,
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

  private static final Map<String, Keyword> BY_WORD = new LinkedHashMap<>();

  static {
    for (Keyword keyword : values()) {
      BY_WORD.put(keyword.word, keyword);
    }
  }

  private final String word;
  private final Form form;

  Keyword(String word, Form form) {
    this.word = word;
    this.form = form;
  }

  /// The keyword of that name, or null for an unknown one.
  static @Nullable Keyword of(String word) {
    return BY_WORD.get(word);
  }

  String word() {
    return word;
  }

  Form form() {
    return form;
  }

  /// The words of all keywords.
  static Set<String> words() {
    return BY_WORD.keySet();
  }

  /// The schemas in a value of this keyword.
  List<JsonNode> schemasIn(JsonNode value) {
    return switch (form) {
      case SCHEMA -> List.of(value);
      case SCHEMA_LIST -> value.isArray() ? value.valueStream().toList() : List.of();
      case SCHEMA_MAP -> value.isObject() ? value.valueStream().toList() : List.of();
      case NAMES_OR_SCHEMA_MAP ->
          value.isObject()
              ? value.valueStream().filter(each -> !each.isArray()).toList()
              : List.of();
      case TYPE,
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
          ANYTHING ->
          List.of();
    };
  }

  /// Whether no check depends on it.
  boolean isNote() {
    return switch (this) {
      case SCHEMA,
          COMMENT,
          TITLE,
          DESCRIPTION,
          DEFAULT,
          EXAMPLES,
          DEPRECATED,
          READ_ONLY,
          WRITE_ONLY,
          CONTENT_ENCODING,
          CONTENT_MEDIA_TYPE,
          CONTENT_SCHEMA ->
          true;
      default -> false;
    };
  }

  /// Whether its schemas apply to the value of their owner.
  boolean inPlace() {
    return switch (this) {
      case ALL_OF, ANY_OF, ONE_OF, NOT, IF, THEN, ELSE, DEPENDENT_SCHEMAS, DEPENDENCIES -> true;
      default -> false;
    };
  }
}
