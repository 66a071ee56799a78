package dev.switchboard.phone.carrier;

/// A line of text: the carrier transcribes the caller, and speaks words with a voice of its own.
public non-sealed interface TextLine extends Line {
  /// Says words, after earlier ones. Words of one response may come in pieces, which are spoken as
  /// one text.
  ///
  /// @param last whether the response ends with them; they may be empty then
  /// @param interruptible whether the carrier stops when the caller speaks
  void say(String words, boolean last, boolean interruptible);

  /// Whether words need no time to be spoken, as those on a screen: when the agent falls silent, it
  /// has spoken all of them.
  default boolean speaksAtOnce() {
    return false;
  }
}
