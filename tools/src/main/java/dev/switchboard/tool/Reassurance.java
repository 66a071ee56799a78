package dev.switchboard.tool;

import dev.switchboard.text.Durations;
import java.time.Duration;

/// A sentence for the user while a tool is slow: shown once, never after the answer.
///
/// @param message the sentence
/// @param after the delay since the call's start, 1,500 ms by default
public record Reassurance(String message, Duration after) {
  /// 1,500 ms.
  public static final Duration DEFAULT_AFTER = Duration.ofMillis(1500);

  /// @throws IllegalArgumentException when the message is blank or the time negative
  public Reassurance {
    if (message.isBlank() || after.isNegative()) {
      throw new IllegalArgumentException("a reassurance needs a message and a time of 0 or more");
    }
    after = Durations.bounded(after);
  }

  /// That sentence, after 1,500 ms.
  public static Reassurance of(String message) {
    return new Reassurance(message, DEFAULT_AFTER);
  }
}
