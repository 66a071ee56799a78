package dev.switchboard.phone.call;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The latest words that a carrier speaks, and how many of them it says were spoken.
///
/// For the actor's thread.
final class SentWords {
  private static final int FASTEST = 30; // characters a second
  private static final int USUAL = 14;
  private static final long NANOS = 1_000_000_000L;
  private static final Pattern WORD = Pattern.compile("\\S+");
  private static final Pattern SILENT = Pattern.compile("[^\\p{L}\\p{N}]+");

  private final StringBuilder words = new StringBuilder();
  private long before; // characters sent before them
  private long earliest; // nanos when they can have ended

  /// Words are sent after all earlier ones were heard.
  ///
  /// @param sent characters before them
  void clear(long sent) {
    words.setLength(0);
    before = sent;
    earliest = 0;
  }

  void add(String more, long now) {
    earliest = words.isEmpty() || now - earliest > 0 ? now : earliest;
    earliest += more.length() * NANOS / FASTEST;
    words.append(more);
  }

  /// Whether all of them can have been spoken: a carrier that falls silent may have spoken earlier
  /// ones only.
  boolean canHaveEnded(long now) {
    return !words.isEmpty() && now - earliest >= 0;
  }

  /// The position after the words that were spoken.
  ///
  /// @param spoken them, as the carrier has spoken them; empty if it does not state them
  /// @param milliseconds in which they were spoken, 0 if it does not state them
  long position(String spoken, int milliseconds) {
    int end = endOf(spoken);
    int share = (int) Math.min(words.length(), (long) milliseconds * USUAL / 1_000);
    return before + (end > 0 ? end : share);
  }

  /// The end of the longest beginning that both have, word for word.
  private int endOf(String spoken) {
    List<String> known = new ArrayList<>();
    WORD.matcher(spoken).results().map(word -> plain(word.group())).forEach(known::add);
    known.removeIf(String::isEmpty);
    int end = 0;
    int next = 0;
    Matcher word = WORD.matcher(words);
    while (word.find() && next < known.size()) {
      String sent = plain(word.group());
      if (sent.isEmpty()) {
        continue;
      }
      if (!sent.equals(known.get(next))) {
        break;
      }
      next++;
      end = word.end();
    }
    return end;
  }

  private static String plain(String word) {
    return SILENT.matcher(word).replaceAll("").toLowerCase(Locale.ROOT);
  }
}
