package dev.switchboard.http;

import org.jspecify.annotations.Nullable;

/// The response to an [HttpRequest].
///
/// @param retryAfter the header of that name, unchanged
/// @param body as UTF-8; of a response outside 2xx only the beginning
/// @param truncated whether the body is incomplete
/// @param lines whether it was streamed in lines; the body is the last one
public record HttpAnswer(
    int status, @Nullable String retryAfter, String body, boolean truncated, boolean lines) {
  /// Whether the status is 2xx.
  public boolean successful() {
    return status >= 200 && status < 300;
  }
}
