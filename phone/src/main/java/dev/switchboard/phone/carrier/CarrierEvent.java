package dev.switchboard.phone.carrier;

import org.jspecify.annotations.Nullable;

/// An event of a call at its carrier.
public sealed interface CarrierEvent {
  /// The line is connected.
  record Connected(Line line) implements CarrierEvent {}

  /// Audio of the caller.
  ///
  /// @param at of its first sample, in milliseconds since the line was opened
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  record Heard(byte[] audio, long at) implements CarrierEvent {}

  /// On a line of text, words of the caller, as the carrier has understood them.
  ///
  /// @param language of the words (BCP 47), null if the carrier does not state it
  /// @param last whether the caller has finished; otherwise more words replace these
  record Prompted(String words, @Nullable String language, boolean last) implements CarrierEvent {}

  /// On a line of text, the caller has spoken over words of the agent, the rest of which is not
  /// spoken.
  ///
  /// @param heard the words of the response that were spoken until then, as the carrier has spoken
  ///   them; empty if it does not state them
  /// @param milliseconds in which they were spoken, 0 if it does not state that
  record Interrupted(String heard, int milliseconds) implements CarrierEvent {}

  /// On a line of text, the caller or the agent begins to speak or ends.
  record Sounding(Side side, boolean speaks) implements CarrierEvent {}

  /// A side of a line.
  enum Side {
    CALLER,
    AGENT
  }

  /// All audio before that mark was played or cleared.
  record Played(String mark) implements CarrierEvent {}

  /// The caller has pressed a key: a digit, `*` or `#`.
  record Pressed(char key) implements CarrierEvent {
    /// Whether that is a key of a telephone.
    public static boolean isKey(String digit) {
      return digit.length() == 1 && "0123456789*#".contains(digit);
    }
  }

  /// The line is disconnected: the caller has hung up, or the call is transferred.
  record Disconnected() implements CarrierEvent {}

  /// The carrier's state of the call, such as `completed` or `no-answer`.
  record Status(String status) implements CarrierEvent {}

  /// The outcome of a transfer that the carrier had accepted: `completed`, `busy`, `no-answer`,
  /// `failed` or `canceled`.
  record Dialed(String status) implements CarrierEvent {}
}
