package dev.switchboard.phone.carrier.relay;

import dev.switchboard.json.Json;
import dev.switchboard.phone.carrier.TextLine;
import dev.switchboard.text.Surrogates;

/// Sends words for the caller over a relay socket.
public final class RelayLine implements TextLine {
  private static final int OVERHEAD = 100; // bytes that each message counts in addition

  private final SocketQueue queue;

  /// A line over that socket.
  public RelayLine(SocketQueue queue) {
    this.queue = queue;
  }

  /// Words to speak.
  private record Words(String text) implements SocketQueue.Message {
    @Override
    public int size() {
      return text.length() + OVERHEAD;
    }
  }

  @Override
  public void say(String words, boolean last, boolean interruptible) {
    if (last || !words.isEmpty()) {
      queue.add(
          new Words(
              "{\"type\":\"text\",\"token\":%s,\"last\":%b,\"interruptible\":%b}"
                  .formatted(Json.of(Surrogates.repaired(words)).text(), last, interruptible)));
    }
  }

  @Override
  public void close(int code, String reason) {
    queue.close(code, reason);
  }
}
