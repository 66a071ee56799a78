package dev.switchboard.config;

import dev.switchboard.check.Closest;
import java.util.Collection;

/// Suggestions for a mistyped word, as the end of a sentence.
final class Hints {
  private Hints() {}

  /// The closest of the names, such as `; did you mean 'webhook_url'?`, or nothing.
  static String closest(String word, Collection<String> known) {
    return Closest.to(word, known).stream().findFirst().map(Hints::question).orElse("");
  }

  /// The closest of the names and all of them, such as `; did you mean 'email'? There are email,
  /// phone`.
  static String closestAndAll(String word, Collection<String> known) {
    String closest = closest(word, known);
    return (closest.isEmpty() ? "; there are " : closest + " There are ")
        + String.join(", ", known);
  }

  static String question(String word) {
    return "; did you mean '" + word + "'?";
  }
}
