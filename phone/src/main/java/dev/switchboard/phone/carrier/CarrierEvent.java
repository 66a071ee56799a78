package dev.switchboard.phone.carrier;

/// What a carrier tells of a call.
public sealed interface CarrierEvent {
  /// Its audio is there.
  record Connected(Line line) implements CarrierEvent {}

  /// Audio of the caller.
  ///
  /// @param at of its first sample, in milliseconds since the line was opened
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  record Heard(byte[] audio, long at) implements CarrierEvent {}

  /// All audio before that mark has been played, or was cleared.
  record Played(String mark) implements CarrierEvent {}

  /// The caller has pressed a key: a digit, `*` or `#`.
  record Pressed(char key) implements CarrierEvent {}

  /// The audio is gone: the caller has hung up, or the call goes elsewhere.
  record Disconnected() implements CarrierEvent {}

  /// The state of the call at the carrier, in words such as `completed` or `no-answer`.
  record Status(String status) implements CarrierEvent {}

  /// What came of a transfer that the carrier had taken: `completed`, `busy`, `no-answer`, `failed`
  /// or `canceled`.
  record Dialed(String status) implements CarrierEvent {}
}
