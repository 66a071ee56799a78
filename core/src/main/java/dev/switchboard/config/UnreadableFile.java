package dev.switchboard.config;

import java.io.IOException;

/// A file whose text cannot be read; the message says why, as the end of a sentence.
final class UnreadableFile extends IOException {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;

  UnreadableFile(String message) {
    this(message, 0, 0);
  }

  UnreadableFile(String message, int line, int column) {
    super(message);
    this.line = line;
    this.column = column;
  }

  /// The line where its text ends to be text, 0 where there is none at all.
  int line() {
    return line;
  }

  int column() {
    return column;
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
