package dev.switchboard.cli;

import org.jspecify.annotations.Nullable;

/// What a command could not do, in one sentence for the person who typed it.
final class Failure extends RuntimeException {
  private final int exitCode;
  private final String sentence;

  private Failure(int exitCode, String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
    this.exitCode = exitCode;
    this.sentence = sentence;
  }

  /// The work failed.
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
