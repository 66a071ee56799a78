package dev.switchboard.server.dialect;

import dev.switchboard.tool.Event;

/// Writes the events of one stream as a client of one protocol reads them: server-sent events, as
/// text. What it writes follows from the events and from what it was made with alone, so that the
/// same events are the same bytes.
///
/// For one thread at a time.
public interface Encoder {
  /// Takes note of an event that the client knows from an earlier stream of the same turn, such as
  /// a call that waited for consent. To be told before [#encode].
  void seen(Event.Logged event);

  /// An event of the turn before, which ends as the one of the stream begins, as none, one or
  /// several frames.
  default String ofTurnBefore(Event.Logged event) {
    seen(event);
    return "";
  }

  /// What goes before the first event; may be empty.
  String begin();

  /// The event, as none, one or several frames; empty if the client is not told of it.
  String encode(Event.Logged event);

  /// What goes behind the last event; may be empty.
  String end();
}
