package dev.switchboard.agent;

import dev.switchboard.model.Message;
import java.util.ArrayList;
import java.util.List;

/// What a model reads of a transcript: the latest turns, each whole, so that no call stands without
/// its result.
final class History {
  private History() {}

  /// The messages of the latest turns, at most so many, but the last turn in any case.
  static List<Message> messages(List<Entry> entries, int most) {
    List<Message> kept = new ArrayList<>();
    List<Message> turn = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry instanceof Entry.Said) {
        kept.addAll(turn);
        turn.clear();
      }
      turn.addAll(entry.messages());
    }
    drop(kept, most - turn.size());
    kept.addAll(turn);
    return kept;
  }

  /// Drops the oldest turns until no more than so many messages are left.
  private static void drop(List<Message> kept, int most) {
    int from = Math.max(0, kept.size() - Math.max(0, most));
    while (from > 0 && from < kept.size() && !(kept.get(from) instanceof Message.User)) {
      from++;
    }
    kept.subList(0, from).clear();
  }
}
