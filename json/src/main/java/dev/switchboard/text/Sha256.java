package dev.switchboard.text;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Digests of texts.
public final class Sha256 {
  private Sha256() {}

  /// The SHA-256 of the text's UTF-8 form.
  public static byte[] of(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /// The SHA-256 of the text in hexadecimal.
  public static String hex(String text) {
    return HexFormat.of().formatHex(of(text));
  }
}
