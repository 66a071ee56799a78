package dev.switchboard.config;

import dev.switchboard.check.Closest;
import java.util.Collection;

/// What a mistyped word may mean, as the end of a sentence.
final class Suggestion {
  private Suggestion() {}

  /// For example `; did you mean 'webhook_url'?`, or nothing.
  static String of(String word, Collection<String> known) {
    return Closest.to(word, known).stream()
        .findFirst()
        .map(closest -> "; did you mean '" + closest + "'?")
        .orElse("");
  }
}
