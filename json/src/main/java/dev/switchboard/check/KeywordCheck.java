package dev.switchboard.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The check of the values of a schema's keywords, each by its form.
final class KeywordCheck {
  private static final int MOST_STATES = 300_000;

  /// Gets what is wrong with a keyword of a part of the schema.
  @FunctionalInterface
  interface Report {
    /// Reports that the keyword has a bad value.
    ///
    /// @param rest of a sentence that begins with the keyword
    void bad(JsonNode schema, Place path, Keyword keyword, String rest);
  }

  private final JsonNode root;
  private final References references;
  private final boolean foreign;
  private final Report report;
  private long states;

  KeywordCheck(JsonNode root, References references, boolean foreign, Report report) {
    this.root = root;
    this.references = references;
    this.foreign = foreign;
    this.report = report;
  }

  /// Checks the value of a keyword.
  ///
  /// @param branch whether the schema is one of several for a value
  void check(Keyword keyword, JsonNode value, JsonNode schema, Place path, boolean branch) {
    List<String> faults = new ArrayList<>();
    String rest =
        switch (keyword.form()) {
          case TYPE -> type(value, faults);
          case NAMES -> names(value, schema, path, branch, faults);
          case NAMES_MAP -> namesMap(value, false);
          case NAMES_OR_SCHEMA_MAP -> namesMap(value, true);
          case REFERENCE -> reference(value, schema);
          case REGEX -> value.isString() ? expression(value.stringValue()) : "must be a string.";
          case SCHEMA_MAP -> {
            String names = keyword == Keyword.PROPERTIES ? "field names" : "names";
            yield value.isObject() ? null : "must map " + names + " to schemas.";
          }
          case SCHEMA_LIST ->
              value.isArray() && !value.isEmpty()
                  ? null
                  : "must be a list of schemas, at least one.";
          case STRING ->
              !value.isString()
                  ? "must be a string."
                  : keyword == Keyword.ID && references.isNamesake(schema)
                      ? "is the URI of another part of the schema."
                      : null;
          case BOOLEAN -> value.isBoolean() ? null : "must be true or false.";
          case NUMBER -> isNumber(value) ? null : "must be a number.";
          case POSITIVE ->
              isNumber(value) && value.decimalValue().signum() > 0
                  ? null
                  : "must be a number above 0.";
          case COUNT -> isCount(value) ? null : "must be a whole number, 0 or more.";
          case LIST -> value.isArray() ? constants(value) : "must be a list.";
          case ANYTHING -> constants(value);
          case SCHEMA -> null;
        };
    if (rest != null) {
      faults.add(rest);
    }
    faults.forEach(fault -> report.bad(schema, path, keyword, fault));
  }

  /// Numbers out of range, which of our own schemas are one fault of the whole.
  private @Nullable String constants(JsonNode value) {
    return foreign && holdsHuge(value) ? "holds a number out of the range of a double." : null;
  }

  /// Whether a number in it is out of the range of a double.
  static boolean holdsHuge(JsonNode value) {
    if (value.isNumber()) {
      return !Numbers.inRange(value.decimalValue());
    }
    for (JsonNode part : value) {
      if (holdsHuge(part)) {
        return true;
      }
    }
    return false;
  }

  private boolean isNumber(JsonNode value) {
    return value.isNumber() && !(foreign && holdsHuge(value));
  }

  private static boolean isCount(JsonNode value) {
    return value.isNumber()
        && Numbers.inRange(value.decimalValue())
        && value.decimalValue().signum() >= 0
        && Numbers.whole(value.decimalValue());
  }

  /// @param faults receives those before the last
  private @Nullable String type(JsonNode value, List<String> faults) {
    if (!value.isArray() || value.isEmpty()) {
      return typeName(value);
    }
    Set<String> seen = new HashSet<>();
    for (JsonNode type : value) {
      if (!seen.add(type.toString()) && !foreign) {
        faults.add("names a type twice.");
      }
      String rest = typeName(type);
      if (rest != null) {
        faults.add(rest);
      }
    }
    return null;
  }

  private static @Nullable String typeName(JsonNode type) {
    if (!type.isString()) {
      return "must be a type's name, or a list of them.";
    }
    String word = type.stringValue();
    return SchemaTypes.WORDS.contains(word)
        ? null
        : "is " + ValueText.quoted(word) + ", which is not a type" + SchemaTypes.remedy(word) + ".";
  }

  /// Only the root, and an object that defines properties, must define what it requires; a branch
  /// of an `anyOf` may require what its owner defines, and schemas that others made anything.
  private @Nullable String names(
      JsonNode value, JsonNode schema, Place path, boolean branch, List<String> faults) {
    if (!isNames(value)) {
      return "must be a list of field names.";
    }
    if (foreign) {
      return null;
    }
    JsonNode properties = references.words(schema).path("properties");
    boolean ofObject = References.same(schema, root) || !properties.isMissingNode();
    Set<String> seen = new HashSet<>();
    for (JsonNode name : value) {
      String word = name.stringValue();
      if (!seen.add(word)) {
        faults.add("names '" + word + "' twice.");
      } else if (ofObject && !branch && !properties.has(word)) {
        faults.add("names '%s', which is not in `%s['properties']`.".formatted(word, path.text()));
      }
    }
    return null;
  }

  private static boolean isNames(JsonNode value) {
    return value.isArray() && value.values().stream().allMatch(JsonNode::isString);
  }

  private static @Nullable String namesMap(JsonNode value, boolean orSchemas) {
    boolean good =
        value.isObject()
            && value.values().stream()
                .allMatch(each -> isNames(each) || (orSchemas && !each.isArray()));
    return good
        ? null
        : "must map field names to lists of field names" + (orSchemas ? ", or to schemas." : ".");
  }

  /// Why a pattern cannot be checked, or null.
  @Nullable String expression(String source) {
    try {
      states += Regex.of(source).states();
      if (states > MOST_STATES) {
        throw new IllegalArgumentException("too large together with the patterns before it");
      }
      return null;
    } catch (IllegalArgumentException e) {
      return "is " + e.getMessage() + ": " + ValueText.quoted(source) + ".";
    }
  }

  private @Nullable String reference(JsonNode value, JsonNode schema) {
    if (!value.isString()) {
      return "must be a string.";
    }
    String reference = value.stringValue();
    return references.located(schema, reference) == null
        ? "points to " + ValueText.quoted(reference) + ", which is not in this schema."
        : references.leadsBack(schema) ? "leads back to itself." : null;
  }
}
