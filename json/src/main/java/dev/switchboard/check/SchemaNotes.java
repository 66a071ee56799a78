package dev.switchboard.check;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Warnings about unknown words in a stated schema, and about what is not checked.
final class SchemaNotes {
  private static final int MOST_WORDS = 200;
  private static final int MOST_SENTENCES = 100;
  private static final int SHORTEST = 4;

  private final String tool;
  private final References references;
  private final boolean foreign;
  private final List<String> sentences = new ArrayList<>();
  private int words;

  /// @param foreign whether others made the schema: unknown keywords are not mistakes
  SchemaNotes(String tool, References references, boolean foreign) {
    this.tool = tool;
    this.references = references;
    this.foreign = foreign;
  }

  List<String> sentences() {
    return sentences;
  }

  boolean isFull() {
    return sentences.size() >= MOST_SENTENCES;
  }

  /// Notes that a keyword is left to the server.
  ///
  /// @param sentence why it cannot be checked
  void unchecked(String sentence) {
    add(sentence.substring(0, sentence.length() - 1) + "; it is left to the server.");
  }

  private void add(String sentence) {
    if (!isFull()) {
      sentences.add("tool '" + tool + "': " + sentence);
    }
  }

  void look(JsonNode schema, Place path) {
    lookAtDialect(schema, path);
    lookAtFormat(schema.path("format"), path);
    for (String word : schema.propertyNames()) {
      Keyword keyword = Keyword.of(word);
      if (keyword == null && !foreign && ++words <= MOST_WORDS) {
        look(word, schema.path(word), path);
      } else if (isOfAnotherDialect(schema, word)) {
        add(
            "`%s['%s']` is not a keyword of %s, so it is not checked."
                .formatted(path.text(), word, references.dialect(schema).word()));
      }
    }
  }

  /// Whether a part of the schema has a keyword that only other dialects have.
  private boolean isOfAnotherDialect(JsonNode schema, String word) {
    Dialect dialect = references.dialect(schema);
    Keyword keyword = Keyword.of(word);
    return word.equals("$recursiveRef")
        ? !dialect.hasRecursion()
        : keyword != null && !dialect.has(keyword);
  }

  private void lookAtDialect(JsonNode schema, Place path) {
    JsonNode declared = schema.path("$schema");
    if (declared.isString() && Dialect.of(declared.stringValue()) == null) {
      add(
          "`%s['$schema']` is %s, which is not a known dialect: it is read as %s."
              .formatted(
                  path.text(),
                  ValueText.quoted(declared.stringValue()),
                  references.dialect(schema).word()));
    }
  }

  /// Notes a format that neither JSON Schema nor OpenAPI has, which is not checked.
  private void lookAtFormat(JsonNode format, Place path) {
    if (foreign || !format.isString() || TextFormat.isKnown(format.stringValue())) {
      return;
    }
    String closest = Closest.hint(format.stringValue(), TextFormat.known());
    add(
        "`%s['format']` is %s, which is not a known format, so it is not checked%s; checked are %s."
            .formatted(
                path.text(),
                ValueText.quoted(format.stringValue()),
                closest,
                String.join(", ", TextFormat.checked())));
  }

  private void look(String word, JsonNode value, Place path) {
    if (word.equals(Dialect.NULLABLE) && value.isBoolean()) {
      if (value.booleanValue()) {
        note(word, path, "write \"type\": [.., \"null\"] for a value that may be null");
      }
      return;
    }
    List<String> near = Closest.to(word, Keyword.words());
    String keyword = near.isEmpty() ? "" : near.getFirst();
    if (keyword.length() >= SHORTEST && Math.abs(keyword.length() - word.length()) <= 1) {
      note(word, path, "did you mean '" + keyword + "'?");
    }
  }

  private void note(String word, Place path, String remedy) {
    add("`%s` has '%s', which JSON Schema ignores (%s).".formatted(path.text(), word, remedy));
  }
}
