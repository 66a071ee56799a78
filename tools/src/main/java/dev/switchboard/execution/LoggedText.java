package dev.switchboard.execution;

import dev.switchboard.tool.Event;
import java.util.List;

/// The text of a reply in the log of a conversation.
///
/// @param from the number of the first event that is not void, 0 for none
/// @param pieces their number, including void ones
record LoggedText(long from, int pieces, String text) {
  private static final int PAGE = 1_000;

  /// The events of a log after a number, in order, at most `most`.
  interface Pages {
    List<Event.Logged> after(long number, int most);
  }

  /// The text of the reply of that key.
  static LoggedText of(String key, Pages log) {
    long from = 0;
    int pieces = 0;
    StringBuilder text = new StringBuilder();
    List<Event.Logged> page;
    long after = 0;
    do {
      page = log.after(after, PAGE);
      for (Event.Logged event : page) {
        String own = event.key() == null ? "" : event.key();
        after = event.number();
        if (own.startsWith(key + "/restart/")) {
          from = 0;
          text.setLength(0);
        } else if (own.startsWith(key + "/")) {
          from = from == 0 ? event.number() : from;
          pieces++;
          text.append(event.event().tree().path("content").asString(""));
        }
      }
    } while (page.size() == PAGE);
    return new LoggedText(from, pieces, text.toString());
  }
}
