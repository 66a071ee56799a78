package dev.switchboard.memory;

import dev.switchboard.text.Words;
import java.util.List;

/// The [Words] of a text as one string, which takes a fraction of the memory of a list.
///
/// @param joined the words, each between two separators
/// @param size the number of words
record WordText(String joined, int size) {
  private static final String SEPARATOR = " "; // in no word

  static WordText of(String text) {
    List<String> words = Words.of(text);
    return new WordText(SEPARATOR + String.join(SEPARATOR, words) + SEPARATOR, words.size());
  }

  /// How often the phrase occurs, as [Words.Phrase#count] counts.
  int count(Words.Phrase phrase) {
    String sought =
        SEPARATOR + String.join(SEPARATOR, phrase.words()) + (phrase.begins() ? "" : SEPARATOR);
    int count = 0;
    for (int at = joined.indexOf(sought); at >= 0; at = joined.indexOf(sought, at + 1)) {
      count++;
    }
    return count;
  }
}
