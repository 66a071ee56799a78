package dev.switchboard.json;

import dev.switchboard.text.Surrogates;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/// A writer for Jackson that checks for surrogates while the characters are in an array, which is
/// the cheapest moment.
final class TextWriter extends Writer {
  /// Longer than any useful answer.
  static final int MOST_FOREIGN = 64 << 20;

  // An interrupt does not affect an answer of normal length.
  private static final int LONG = 1 << 20;

  private final boolean foreign;
  private String text = "";
  private @Nullable StringBuilder longText;
  private boolean plain = true;
  private boolean suspect;

  /// A writer of the library's own values, or of a foreign value, which may be endless: it stops
  /// when the thread is interrupted, and at a limit.
  TextWriter(boolean foreign) {
    this.foreign = foreign;
  }

  /// The written text.
  String text() {
    return longText == null ? text : longText.toString();
  }

  /// Whether the text contains no surrogate.
  boolean plain() {
    return plain;
  }

  /// Records that the text may not be readable.
  void suspect() {
    suspect = true;
  }

  /// Whether the text is known to be readable, except for its surrogates.
  boolean readable() {
    return !suspect && (longText == null || longText.length() <= LONG);
  }

  @Override
  public void write(int letter) {
    write(new char[] {(char) letter}, 0, 1);
  }

  @Override
  public void write(char[] letters, int from, int length) {
    plain = plain && Surrogates.noneIn(letters, from, length);
    if (longText == null && text.isEmpty()) {
      text = new String(letters, from, length);
      return;
    }
    longText = longText == null ? new StringBuilder(text) : longText;
    longText.append(letters, from, length);
    if (foreign && longText.length() > LONG) {
      checkEnd(longText.length());
    }
  }

  private static void checkEnd(int length) {
    if (length > MOST_FOREIGN || Thread.currentThread().isInterrupted()) {
      throw new JsonException("does not end within " + length + " characters", null);
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
