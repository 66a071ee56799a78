package dev.switchboard.text;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// Ids of conversations that the runtime derives. They begin with `~`, which no id that a client or
/// a program chooses may contain, and end in the SHA-256 of agent, principal and key: so two of
/// them are equal only if all three are.
public final class DerivedId {
  private static final char MARK = '~';

  private DerivedId() {}

  /// The id of the conversation of that kind, such as `mcp`, for an agent, a principal and a key.
  public static String of(String kind, String agent, String principal, String key) {
    MessageDigest digest = sha256();
    for (String part : new String[] {agent, principal, key}) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      digest.update(bytes);
    }
    String hash = Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest());
    return MARK + kind + "." + hash;
  }

  /// Whether only the runtime begins conversations of such an id.
  public static boolean isReserved(String id) {
    return id.indexOf(MARK) >= 0;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
