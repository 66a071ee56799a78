package dev.switchboard.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What a connection knows of the conversations that it has written to last: the fencing token of
/// each, and the number of the last row of each of its tables. It is true while no other connection
/// commits, and this one does not roll back.
///
/// For one thread at a time.
final class LastWrites {
  private static final String FENCE = "conversation";

  /// The head of a conversation's rows in a table; its number in `conversation` is the token.
  private record Head(String table, String agent, String conversation) {}

  /// The number of a head.
  ///
  /// @param principal whose the conversation is, for that of a token; null if it is not known
  private record Known(long number, @Nullable String principal) {}

  private final Map<Head, Known> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Head, Known> eldest) {
          return size() > most;
        }
      };
  private final int most;
  private long version; // of the file, for this connection

  /// @param most heads that it remembers
  LastWrites(int most) {
    this.most = most;
  }

  /// Remembers nothing, for a connection beside which others write.
  static LastWrites none() {
    return new LastWrites(0);
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

  /// The fencing token of the conversation; empty if it is not known, or not whether it is that
  /// principal's.
  OptionalLong fence(Command.Token token) {
    Known fence = known.get(head(token));
    return fence != null && (token.principal() == null || token.principal().equals(fence.principal))
        ? OptionalLong.of(fence.number)
        : OptionalLong.empty();
  }

  /// The conversation has that fencing token now, and is the principal's, if one is named.
  void fence(Command.Token token, long fence) {
    Known before = known.get(head(token));
    String principal =
        token.principal() == null && before != null ? before.principal : token.principal();
    known.put(head(token), new Known(fence, principal));
  }

  private static Head head(Command.Token token) {
    return new Head(FENCE, token.agent(), token.conversation());
  }

  /// The number of the last row, empty if it is not known.
  OptionalLong last(String table, String agent, String conversation) {
    Known last = known.get(new Head(table, agent, conversation));
    return last == null ? OptionalLong.empty() : OptionalLong.of(last.number);
  }

  /// The last row has that number now.
  void last(String table, String agent, String conversation, long number) {
    known.put(new Head(table, agent, conversation), new Known(number, null));
  }
}
