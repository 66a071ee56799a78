package dev.switchboard.mcp.oauth;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A fixed token, which appears only in the header.
public final class Bearer implements Credentials {
  private final String header;

  private Bearer(String header) {
    this.header = header;
  }

  /// The credentials of this token.
  ///
  /// @throws IllegalArgumentException when it is empty or contains invalid characters; the message
  ///   does not quote it
  public static Bearer of(String token) {
    if (!TokenResponse.fits(token)) {
      throw new IllegalArgumentException(
          "a token must not be empty, longer than %d characters, or hold spaces, line breaks or characters beyond ASCII"
              .formatted(TokenResponse.LONGEST));
    }
    return new Bearer("Bearer " + token);
  }

  @Override
  public String header(Consumer<Runnable> onCancel) {
    return header;
  }

  /// False: there is no other token.
  @Override
  public boolean renew(
      @Nullable String sent, int status, @Nullable String challenge, Consumer<Runnable> onCancel) {
    return false;
  }

  /// `Bearer[***]`.
  @Override
  public String toString() {
    return "Bearer[***]";
  }
}
