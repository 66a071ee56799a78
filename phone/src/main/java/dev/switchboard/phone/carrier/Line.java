package dev.switchboard.phone.carrier;

/// The audio of one call, both ways: µ-law (ITU-T G.711), 8,000 samples a second, a byte each.
///
/// No method waits for the network: messages are queued. After the line is closed the methods do
/// nothing. Safe for use by several threads.
public interface Line {
  /// Plays audio to the caller, after what was sent before.
  void play(byte[] audio);

  /// Asks for a [CarrierEvent.Played] of that name when all audio before it has been played.
  void mark(String name);

  /// Drops what has not been played. Pending marks may come back.
  void clear();

  /// Ends the audio.
  ///
  /// @param code as WebSocket has it (RFC 6455, 7.4)
  void close(int code, String reason);
}
