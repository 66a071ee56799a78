package dev.switchboard.json;

import java.io.Writer;
import org.jspecify.annotations.Nullable;

/// What Jackson writes a text to, with a look at its letters while they lie in an array, where that
/// costs least.
final class TextWriter extends Writer {
  private String text = "";
  private @Nullable StringBuilder longText;
  private boolean plain = true;

  /// What was written.
  String text() {
    return longText == null ? text : longText.toString();
  }

  /// Whether it holds no surrogate at all.
  boolean plain() {
    return plain;
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
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
