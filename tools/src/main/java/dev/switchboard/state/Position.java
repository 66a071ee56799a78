package dev.switchboard.state;

import dev.switchboard.consent.ConsentRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;

/// A position in a list of conversations or requests, as exact as a database stores it, so that a
/// page begins after the last one.
///
/// @param at when a conversation was created, the minimum if unknown, or when a request expires; in
///   whole milliseconds
/// @param id of the conversation, or the request's with that of its conversation
public record Position(Instant at, String id) {
  public Position {
    at = at.truncatedTo(ChronoUnit.MILLIS);
  }

  /// The order of requests: the first to expire first.
  public static final Comparator<Position> ASCENDING =
      Comparator.comparing(Position::at).thenComparing(Position::id);

  /// The order of conversations: the latest created first.
  public static final Comparator<Position> DESCENDING = ASCENDING.reversed();

  /// The position of what is of unknown time.
  public static final Position FIRST = new Position(Instant.EPOCH, "");

  /// That of a request.
  public static Position of(ConsentRequest request) {
    return new Position(request.expiresAt(), request.qualifiedId());
  }

  /// The position before everything that comes later than that moment.
  public static Position after(Instant moment) {
    return new Position(moment.plusMillis(1), "");
  }
}
