package dev.switchboard.phone.testing;

import java.util.ArrayDeque;
import java.util.BitSet;

/// The words that wait to be spoken in a relay session, a character after the other. They are talk
/// cycles, each of which ends with a last token.
///
/// For the session's thread.
final class TalkCycles {
  private final ArrayDeque<Cycle> cycles = new ArrayDeque<>();

  /// Words of one response.
  private static final class Cycle {
    final StringBuilder words = new StringBuilder();
    final BitSet protectedWords = new BitSet(); // by index
    int spoken;
    long start;
    boolean complete;
  }

  /// Adds words, after earlier ones.
  void add(String token, boolean last, boolean interruptible) {
    if (cycles.isEmpty() || cycles.getLast().complete) {
      if (token.isEmpty()) {
        return;
      }
      cycles.add(new Cycle());
    }
    Cycle cycle = cycles.getLast();
    int from = cycle.words.length();
    cycle.words.append(token);
    cycle.protectedWords.set(from, cycle.words.length(), !interruptible);
    cycle.complete = last;
  }

  /// Whether words wait.
  boolean hasNext() {
    return !cycles.isEmpty() && cycles.getFirst().spoken < cycles.getFirst().words.length();
  }

  /// Speaks a character.
  ///
  /// @param start of it, in milliseconds
  void next(long start) {
    Cycle cycle = cycles.getFirst();
    cycle.start = cycle.spoken == 0 ? start : cycle.start;
    cycle.spoken++;
  }

  /// Whether there is nothing to speak, also later.
  boolean isEmpty() {
    return cycles.isEmpty();
  }

  /// Whether all words of a cycle were spoken, and no more follow.
  boolean isOver() {
    return !cycles.isEmpty() && cycles.getFirst().complete && !hasNext();
  }

  /// The words of the cycle that were spoken.
  String spoken() {
    return cycles.isEmpty() ? "" : cycles.getFirst().words.substring(0, cycles.getFirst().spoken);
  }

  /// The words of the cycle that were spoken, without one that was not spoken to its end.
  String wholeWords() {
    String spoken = spoken();
    boolean inWord =
        hasNext()
            && !spoken.isEmpty()
            && !Character.isWhitespace(spoken.charAt(spoken.length() - 1))
            && !Character.isWhitespace(cycles.getFirst().words.charAt(spoken.length()));
    return (inWord ? spoken.replaceFirst("\\S+$", "") : spoken).strip();
  }

  /// Whether what is spoken may be interrupted.
  boolean isInterruptible() {
    return cycles.isEmpty() || !cycles.getFirst().protectedWords.get(cycles.getFirst().spoken);
  }

  /// The number of characters that wait.
  int waiting() {
    return cycles.stream().mapToInt(cycle -> cycle.words.length() - cycle.spoken).sum();
  }

  /// Ends the cycle; returns what was heard of it.
  ///
  /// @param end of its last character, in milliseconds
  HeardWords end(long end) {
    boolean cut = hasNext();
    String words = spoken();
    return new HeardWords(words, cycles.remove().start, end, cut);
  }

  /// Drops all words.
  void clear() {
    cycles.clear();
  }
}
