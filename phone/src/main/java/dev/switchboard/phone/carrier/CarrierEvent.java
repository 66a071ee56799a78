package dev.switchboard.phone.carrier;

/// An event of a call at its carrier.
public sealed interface CarrierEvent {
  /// The audio is connected.
  record Connected(Line line) implements CarrierEvent {}

  /// Audio of the caller.
  ///
  /// @param at of its first sample, in milliseconds since the line was opened
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  record Heard(byte[] audio, long at) implements CarrierEvent {}

  /// All audio before that mark was played or cleared.
  record Played(String mark) implements CarrierEvent {}

  /// The caller has pressed a key: a digit, `*` or `#`.
  record Pressed(char key) implements CarrierEvent {}

  /// The audio is disconnected: the caller has hung up, or the call is transferred.
  record Disconnected() implements CarrierEvent {}

  /// The carrier's state of the call, such as `completed` or `no-answer`.
  record Status(String status) implements CarrierEvent {}

  /// The outcome of a transfer that the carrier had accepted: `completed`, `busy`, `no-answer`,
  /// `failed` or `canceled`.
  record Dialed(String status) implements CarrierEvent {}
}
