package dev.switchboard.webhook;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A key that signs requests; [#toString] hides its text.
public final class Secret {
  private static final String PREFIX = "whsec_";

  private final byte[] key;

  private Secret(byte[] key) {
    this.key = key;
  }

  /// The secret of this text: `whsec_` and base64, or plain.
  ///
  /// @throws IllegalArgumentException when it is empty, or what follows `whsec_` is not base64
  public static Secret of(String text) {
    if (text.isEmpty() || text.equals(PREFIX)) {
      throw new IllegalArgumentException("a secret must not be empty");
    }
    if (!text.startsWith(PREFIX)) {
      return new Secret(text.getBytes(StandardCharsets.UTF_8));
    }
    try {
      return new Secret(Base64.getDecoder().decode(text.substring(PREFIX.length())));
    } catch (IllegalArgumentException e) {
      // The decoder's message quotes the text, so it is not kept as a cause.
      throw new IllegalArgumentException("what follows 'whsec_' in a secret must be base64");
    }
  }

  /// The secret in this environment variable.
  ///
  /// @throws IllegalArgumentException that names the variable, when it is unset or has no valid
  ///   secret
  public static Secret env(String name) {
    return env(name, System.getenv());
  }

  static Secret env(String name, Map<String, String> environment) {
    String text = environment.get(name);
    if (text == null) {
      throw new IllegalArgumentException("environment variable '" + name + "' is not set");
    }
    try {
      return of(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "environment variable '" + name + "': " + e.getMessage(), e);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Secret secret && MessageDigest.isEqual(key, secret.key);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(key);
  }

  /// `Secret[***]`.
  @Override
  public String toString() {
    return "Secret[***]";
  }

  byte[] key() {
    return key.clone();
  }
}
