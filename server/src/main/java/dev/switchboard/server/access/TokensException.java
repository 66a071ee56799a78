package dev.switchboard.server.access;

import org.jspecify.annotations.Nullable;

/// Tokens that cannot be read, stored or issued; the message is a sentence without a token.
public final class TokensException extends RuntimeException {
  private static final long serialVersionUID = 1;

  TokensException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }
}
