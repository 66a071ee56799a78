package dev.switchboard.schema;

import java.util.List;

/// What somebody who misspelt a word may have meant, as the end of a sentence.
final class Suggestion {
  private Suggestion() {}

  /// For example `no such property (did you mean 'partySize'?)`.
  static String noSuchProperty(String name, List<String> known) {
    return "no such property" + of(name, known);
  }

  /// For example ` (did you mean 'string'?)`, or nothing.
  static String of(String word, List<String> known) {
    List<String> closest = Closest.to(word, known);
    return closest.isEmpty() ? "" : " (did you mean '" + closest.getFirst() + "'?)";
  }
}
