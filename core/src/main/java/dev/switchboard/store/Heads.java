package dev.switchboard.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/// What a connection knows of the conversations that it has written to last: the fencing token of
/// each, and the number of the last row of each of its tables. It is true while no other connection
/// commits, and this one does not roll back.
///
/// For one thread at a time.
final class Heads {
  private static final String FENCE = "conversation";

  /// The head of a conversation's rows in a table; its number in `conversation` is the token.
  private record Head(String table, String agent, String conversation) {}

  private final Map<Head, Long> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Head, Long> eldest) {
          return size() > most;
        }
      };
  private final int most;
  private long version; // of the file, for this connection

  /// @param most heads that it remembers
  Heads(int most) {
    this.most = most;
  }

  /// Remembers nothing, for a connection beside which others write.
  static Heads none() {
    return new Heads(0);
  }

  /// Accepts the version that the file has in this transaction, which another commit has changed.
  void version(long now) {
    if (now != version) {
      known.clear();
      version = now;
    }
  }

  /// Forgets everything.
  void clear() {
    known.clear();
  }

  /// The fencing token of the conversation, empty if it is not known.
  OptionalLong fence(String agent, String conversation) {
    return last(FENCE, agent, conversation);
  }

  /// The conversation has that fencing token now.
  void fence(String agent, String conversation, long fence) {
    last(FENCE, agent, conversation, fence);
  }

  /// The number of the last row, empty if it is not known.
  OptionalLong last(String table, String agent, String conversation) {
    Long number = known.get(new Head(table, agent, conversation));
    return number == null ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /// The last row has that number now.
  void last(String table, String agent, String conversation, long number) {
    known.put(new Head(table, agent, conversation), number);
  }
}
