package dev.switchboard.http;

import org.jspecify.annotations.Nullable;

/// What came back for an [HttpRequest].
///
/// @param retryAfter the header of that name, as it came
/// @param body as UTF-8; of an answer outside 2xx only the beginning
/// @param truncated whether the body is not the whole one
/// @param lines whether it came in lines, of which the body is the last
public record HttpAnswer(
    int status, @Nullable String retryAfter, String body, boolean truncated, boolean lines) {
  /// Whether the status is 2xx.
  public boolean successful() {
    return status >= 200 && status < 300;
  }
}
