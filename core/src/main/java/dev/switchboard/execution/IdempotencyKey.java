package dev.switchboard.execution;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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
    byte[] digest = sha256().digest(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest, 0, BYTES);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
