package dev.switchboard.server.dialect;

import org.jspecify.annotations.Nullable;

/// An invalid input of a client; the message is a sentence for it.
public final class BadRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final @Nullable String parameter;

  BadRequestException(String code, @Nullable String parameter, String sentence) {
    super(sentence, null, false, false);
    this.code = code;
    this.parameter = parameter;
  }

  static BadRequestException of(String sentence) {
    return new BadRequestException("bad_request", null, sentence);
  }

  /// The code for programs: `bad_request`, `invalid_arguments` or `unsupported_parameter`.
  public String code() {
    return code;
  }

  /// The invalid member of the body, null if it is not a single one.
  public @Nullable String parameter() {
    return parameter;
  }

  /// The sentence for the client.
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
