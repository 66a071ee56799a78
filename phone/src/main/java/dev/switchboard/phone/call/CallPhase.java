package dev.switchboard.phone.call;

/// The phases of a call, in order.
enum CallPhase {
  /// It has arrived; no audio is connected.
  RINGING,
  /// Its audio is connected.
  CONNECTED,
  /// The engine's session is ready.
  TALKING,
  /// The carrier connects the caller to another number.
  TRANSFERRING,
  /// Its end was requested.
  ENDING,
  /// It has ended.
  ENDED;

  /// Whether the call has ended, or is about to end or to be transferred.
  boolean isOver() {
    return switch (this) {
      case RINGING, CONNECTED, TALKING -> false;
      case TRANSFERRING, ENDING, ENDED -> true;
    };
  }
}
