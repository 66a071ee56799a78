package dev.switchboard.check;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Warnings about unknown words in a stated schema.
final class SchemaNotes {
  private static final int MOST_WORDS = 200;
  private static final int SHORTEST = 4;

  private final String tool;
  private final List<String> sentences = new ArrayList<>();
  private int words;

  SchemaNotes(String tool) {
    this.tool = tool;
  }

  List<String> sentences() {
    return sentences;
  }

  void look(JsonNode schema, Place path) {
    for (String word : schema.propertyNames()) {
      if (Keyword.of(word) == null && ++words <= MOST_WORDS) {
        look(word, schema.path(word), path);
      }
    }
  }

  private void look(String word, JsonNode value, Place path) {
    if (word.equals("nullable") && value.isBoolean()) {
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
    sentences.add(
        "tool '%s': `%s` has '%s', which JSON Schema ignores (%s)."
            .formatted(tool, path.text(), word, remedy));
  }
}
