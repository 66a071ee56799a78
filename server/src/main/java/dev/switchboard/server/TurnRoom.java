package dev.switchboard.server;

import dev.switchboard.loop.Input;
import dev.switchboard.model.Message;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.FullException;
import dev.switchboard.mount.Places;

/// The room for turns and direct calls that run in the server: their number, and the bytes of what
/// they were given. Thread-safe.
record TurnRoom(Places turns, Places bytes) {
  /// The room of a server.
  TurnRoom() {
    this(new Places(Bound.TURNS), new Places(Bound.MESSAGES));
  }

  /// What a turn occupies, until it is closed.
  record Taken(Places.Place turn, Places.Place bytes) implements AutoCloseable {
    @Override
    public void close() {
      turn.close();
      bytes.close();
    }
  }

  /// Room for a turn of that principal.
  ///
  /// @param size the bytes of its message, and of the files in its conversation
  /// @throws FullException when the share of the principal, or the whole, is taken
  Taken acquire(String principal, long size) {
    Places.Place turn = turns.acquire(principal);
    try {
      return new Taken(turn, bytes.acquire(principal, size));
    } catch (FullException full) {
      turn.close();
      throw full;
    }
  }

  /// The bytes of a message.
  static long size(Input.Said said) {
    long size = said.text().length();
    for (Message.Attachment file : said.files()) {
      size += file.size();
    }
    return size;
  }
}
