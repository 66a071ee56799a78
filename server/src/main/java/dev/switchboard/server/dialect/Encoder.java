package dev.switchboard.server.dialect;

import dev.switchboard.tool.Event;

/// Writes the events of one stream in the form of one protocol: server-sent events, as text. Its
/// output depends only on the events and the constructor's arguments, so equal events give equal
/// bytes.
///
/// For one thread at a time.
public interface Encoder {
  /// Notes an event that the client knows from an earlier stream of the same turn, such as a call
  /// that waited for consent. Called before [#encode].
  void seen(Event.Logged event);

  /// The frames of an event of the previous turn, which ends when that of the stream begins; may be
  /// empty.
  default String ofTurnBefore(Event.Logged event) {
    seen(event);
    return "";
  }

  /// The text before the first event; may be empty.
  String begin();

  /// The frames of the event; empty if the client does not receive it.
  String encode(Event.Logged event);

  /// The text after the last event; may be empty.
  String end();

  /// Whether a client can resume a stream that ended before its turn; otherwise the connection is
  /// broken off.
  default boolean isResumable() {
    return true;
  }

  /// Whether the connection is broken off after the end, so that a client fails that does not read
  /// the error in it.
  default boolean breaksOff() {
    return false;
  }
}
