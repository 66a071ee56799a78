package dev.switchboard.check;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A schema as model APIs accept it: in the keywords of 2020-12, without those whose value has the
/// wrong form. For models to read, not for checks: a keyword that the schema's own dialect does not
/// have is still a hint.
public final class ValidSchema {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /// Words that [Dialect] reads as others.
  private static final Set<String> OLDER =
      Set.of("id", "additionalItems", "$recursiveRef", "$recursiveAnchor");

  /// An item of a tuple, as a step of a reference.
  private static final Pattern ITEM = Pattern.compile("(?<!/properties)/items/([0-9]+)");

  private static final Pattern ID = Pattern.compile("[^#]*#?");
  private static final Pattern ANCHOR = Pattern.compile("[A-Za-z_][-A-Za-z0-9._]*");

  private final JsonNode root;
  private final References references;

  private ValidSchema(JsonNode root, boolean foreign) {
    this.root = root;
    references = new References(root, foreign);
  }

  /// That schema, itself if nothing has to change.
  ///
  /// @param foreign whether others made it
  public static ObjectNode of(ObjectNode schema, boolean foreign) {
    return new ValidSchema(schema, foreign).valid(schema);
  }

  private JsonNode schema(JsonNode schema) {
    return schema instanceof ObjectNode stated ? valid(stated) : schema;
  }

  private ObjectNode valid(ObjectNode stated) {
    ObjectNode out = NODES.objectNode();
    JsonNode words = references.words(stated);
    boolean shown = hidesInVain(stated);
    for (Map.Entry<String, JsonNode> entry : stated.properties()) {
      String word = entry.getKey();
      Keyword keyword = Keyword.of(word);
      if (keyword != null) {
        boolean hint = keyword.isNote() || !references.dialect(stated).has(keyword);
        hint |= shown && !words.has(word);
        JsonNode value = hint ? entry.getValue() : words.get(word);
        set(out, keyword, value, stated);
      } else if (!OLDER.contains(word)) {
        out.set(word, entry.getValue());
      }
    }
    for (Map.Entry<String, JsonNode> entry : words.properties()) {
      Keyword keyword = Keyword.of(entry.getKey());
      if (keyword != null && !stated.has(entry.getKey())) {
        set(out, keyword, entry.getValue(), stated);
      }
    }
    if (out.equals(stated)) {
      return stated;
    }
    if (Dialect.of(out.path("$schema").asString("")) != Dialect.DRAFT_2020) {
      out.remove("$schema");
    }
    return out;
  }

  /// Whether a `$ref` without a target hides the keywords beside it, which are hints then.
  private boolean hidesInVain(ObjectNode stated) {
    return references.dialect(stated).hidesBeside(stated)
        && reference(stated.path("$ref"), stated) == null;
  }

  private void set(ObjectNode out, Keyword keyword, @Nullable JsonNode value, ObjectNode stated) {
    JsonNode valid = value == null ? null : value(keyword, value, stated);
    if (valid != null && stated.has("$recursiveRef") && keyword == Keyword.DYNAMIC_REF) {
      out.put("$ref", "#");
    } else if (valid != null) {
      out.set(keyword.word(), valid);
    }
  }

  /// The valid value of that keyword, or null if it has none.
  private @Nullable JsonNode value(Keyword keyword, JsonNode value, ObjectNode stated) {
    return switch (keyword.form()) {
      case TYPE -> type(value);
      case SCHEMA -> isSchema(value) ? schema(value) : null;
      case SCHEMA_LIST -> schemas(value);
      case SCHEMA_MAP, NAMES_MAP, NAMES_OR_SCHEMA_MAP -> map(keyword, value);
      case NAMES -> names(value);
      case REFERENCE -> reference(value, stated);
      case REGEX -> value.isString() && isExpression(value.stringValue()) ? value : null;
      case STRING -> value.isString() && isWord(keyword, value.stringValue()) ? value : null;
      case BOOLEAN -> value.isBoolean() ? value : null;
      case NUMBER -> isNumber(value) ? value : null;
      case POSITIVE -> isNumber(value) && value.decimalValue().signum() > 0 ? value : null;
      case COUNT ->
          isNumber(value)
                  && value.decimalValue().signum() >= 0
                  && Numbers.whole(value.decimalValue())
              ? value
              : null;
      case LIST -> keyword == Keyword.ENUM ? distinct(value) : value.isArray() ? value : null;
      case ANYTHING -> value;
    };
  }

  /// Whether it is a regular expression, be it one that only others can check.
  private static boolean isExpression(String source) {
    try {
      return Regex.of(source).states() >= 0;
    } catch (IllegalArgumentException e) {
      return ForeignPattern.isExpression(source);
    }
  }

  private static boolean isWord(Keyword keyword, String word) {
    return switch (keyword) {
      case ID -> ID.matcher(word).matches();
      case ANCHOR, DYNAMIC_ANCHOR -> ANCHOR.matcher(word).matches();
      case SCHEMA -> Dialect.of(word) != null;
      default -> true;
    };
  }

  private static boolean isNumber(JsonNode value) {
    return value.isNumber() && Numbers.inRange(value.decimalValue());
  }

  private static boolean isSchema(JsonNode value) {
    return value.isObject() || value.isBoolean();
  }

  private static @Nullable JsonNode type(JsonNode value) {
    JsonNode types = value.isArray() ? distinct(value) : value;
    List<JsonNode> all =
        types == null ? List.of() : types.isArray() ? types.valueStream().toList() : List.of(types);
    boolean known =
        all.stream()
            .allMatch(type -> type.isString() && SchemaTypes.WORDS.contains(type.stringValue()));
    return known ? types : null;
  }

  private static @Nullable JsonNode names(JsonNode value) {
    boolean good = value.isArray() && value.valueStream().allMatch(JsonNode::isString);
    return good && !value.isEmpty() ? distinct(value) : good ? value : null;
  }

  /// The list without repetitions; null if it is empty or no list.
  private static @Nullable JsonNode distinct(JsonNode value) {
    if (!value.isArray() || value.isEmpty()) {
      return null;
    }
    Set<JsonNode> all = new LinkedHashSet<>(value.valueStream().toList());
    return all.size() == value.size() ? value : NODES.arrayNode().addAll(all);
  }

  private @Nullable JsonNode schemas(JsonNode value) {
    if (!value.isArray() || value.isEmpty()) {
      return null;
    }
    ArrayNode out = NODES.arrayNode();
    value.forEach(each -> out.add(isSchema(each) ? schema(each) : NODES.objectNode()));
    return out;
  }

  private @Nullable JsonNode map(Keyword keyword, JsonNode value) {
    if (!value.isObject()) {
      return null;
    }
    ObjectNode out = NODES.objectNode();
    value.forEachEntry((name, each) -> {
      boolean pattern = keyword == Keyword.PATTERN_PROPERTIES;
      JsonNode valid = pattern && !isExpression(name) ? null : entry(keyword, each);
      if (valid != null) {
        out.set(name, valid);
      }
    });
    return out;
  }

  private @Nullable JsonNode entry(Keyword keyword, JsonNode value) {
    boolean names = keyword.form() != Keyword.Form.SCHEMA_MAP && value.isArray();
    if (names || keyword == Keyword.DEPENDENT_REQUIRED) {
      return names(value);
    }
    boolean anything = !isSchema(value) || value.isBoolean() && value.booleanValue();
    return anything ? NODES.objectNode() : schema(value);
  }

  private @Nullable JsonNode reference(JsonNode value, ObjectNode stated) {
    if (!value.isString()) {
      return null;
    }
    String reference = value.stringValue();
    if (references.located(stated, reference) == null || references.leadsBack(stated)) {
      return null;
    }
    return root.path("$schema").asString("").contains("2020-12")
        ? value
        : NODES.stringNode(ITEM.matcher(reference).replaceAll("/prefixItems/$1"));
  }
}
