package dev.switchboard.tool;

import dev.switchboard.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// An event of a conversation as its log has it.
///
/// @param number from 1 in its conversation, without gaps; 0 before it is stored
/// @param key that no other event of the conversation has, so that a turn which is run again after
///   a crash tells nothing twice; null where that may be told again
/// @param run the id of the input that it came of, null where there was none
/// @param at when it happened, in milliseconds
/// @param event as on the wire, [Event#json()]
public record LoggedEvent(
    long number, @Nullable String key, @Nullable String run, Instant at, Json event) {
  public LoggedEvent {
    at = at.truncatedTo(ChronoUnit.MILLIS);
  }

  /// This event with the number that it got.
  public LoggedEvent numbered(long stored) {
    return new LoggedEvent(stored, key, run, at, event);
  }
}
