package dev.switchboard.json;

import org.jspecify.annotations.Nullable;

/// A text that is not valid JSON, or a value that cannot be written as JSON.
///
/// The message is one sentence and never quotes the text.
public final class JsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param message one sentence for a person or a model
  public JsonException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
