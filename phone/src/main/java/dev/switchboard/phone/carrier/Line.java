package dev.switchboard.phone.carrier;

/// The audio of one call, both ways: µ-law (ITU-T G.711), 8,000 samples a second, a byte each.
///
/// No method waits for the network: messages are queued. After the line is closed the methods have
/// no effect. Thread-safe.
public interface Line {
  /// Plays audio to the caller, after earlier audio.
  void play(byte[] audio);

  /// Requests a [CarrierEvent.Played] of that name when all audio before it was played.
  void mark(String name);

  /// Drops audio that was not played. Pending marks may be returned.
  void clear();

  /// Closes the line.
  ///
  /// @param code of WebSocket (RFC 6455, 7.4)
  void close(int code, String reason);
}
