package dev.switchboard.execution;

import dev.switchboard.text.Sha256;
import java.util.HexFormat;

/// A key that is equal on every attempt of a call and differs between calls: a hash, since ids may
/// hold characters that a header may not.
final class IdempotencyKey {
  private static final int BYTES = 16;

  private IdempotencyKey() {}

  static String of(String agent, String conversationId, String callId) {
    // With the lengths, so that no other parts make the same text.
    String text =
        agent.length() + ":" + agent + conversationId.length() + ":" + conversationId + callId;
    return HexFormat.of().formatHex(Sha256.of(text), 0, BYTES);
  }
}
