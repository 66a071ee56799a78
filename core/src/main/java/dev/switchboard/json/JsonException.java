package dev.switchboard.json;

import org.jspecify.annotations.Nullable;

/// Text that is not the JSON it should be, or a value that cannot be written as JSON.
///
/// The message names what was found in one sentence and never quotes the text itself.
public final class JsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param message one sentence for a person or a model
  public JsonException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
