package dev.switchboard.phone.carrier;

/// A line of audio: µ-law (ITU-T G.711), 8,000 samples a second, a byte each.
public non-sealed interface AudioLine extends Line {
  /// Plays audio to the caller, after earlier audio.
  void play(byte[] audio);

  /// Requests a [CarrierEvent.Played] of that name when all audio before it was played.
  void mark(String name);

  /// Drops audio that was not played. Pending marks may be returned.
  void clear();
}
