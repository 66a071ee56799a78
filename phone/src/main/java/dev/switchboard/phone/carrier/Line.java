package dev.switchboard.phone.carrier;

/// The connection to the caller of one call, both ways: as audio, or as text that the carrier hears
/// and speaks itself.
///
/// No method waits for the network: messages are queued. After the line is closed the methods have
/// no effect. Thread-safe.
public sealed interface Line permits AudioLine, TextLine {
  /// Closes the line.
  ///
  /// @param code of WebSocket (RFC 6455, 7.4)
  void close(int code, String reason);
}
