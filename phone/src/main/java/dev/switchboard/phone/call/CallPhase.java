package dev.switchboard.phone.call;

/// Where a call stands.
enum CallPhase {
  /// It has come in; nobody hears anything yet.
  RINGING,
  /// Its audio is there.
  CONNECTED,
  /// The engine hears and speaks.
  TALKING,
  /// The carrier connects the caller to someone else.
  TRANSFERRING,
  /// It is being ended.
  ENDING,
  /// It is over.
  ENDED
}
