package dev.switchboard.cli;

import org.jspecify.annotations.Nullable;

/// The failure of a command, as one sentence for the user.
final class Failure extends RuntimeException {
  private final int exitCode;
  private final String sentence;

  private Failure(int exitCode, String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
    this.exitCode = exitCode;
    this.sentence = sentence;
  }

  /// The command failed.
  static Failure work(String sentence, @Nullable Throwable cause) {
    return new Failure(1, sentence, cause);
  }

  /// The usage or the configuration is wrong.
  static Failure usage(String sentence, @Nullable Throwable cause) {
    return new Failure(2, sentence, cause);
  }

  String sentence() {
    return sentence;
  }

  int exitCode() {
    return exitCode;
  }
}
