package dev.switchboard.phone.engine.realtime;

import java.time.Duration;

/// How the provider detects the beginning and the end of the caller's speech.
public sealed interface TurnDetection {
  /// By loudness: speech ends with a silence.
  ///
  /// @param threshold the loudness of speech, 0 to 1
  /// @param prefix audio before the detected beginning that belongs to the speech, at most 5
  ///   seconds
  /// @param silence after which the speech has ended, 100 ms to 10 seconds
  record ServerVad(double threshold, Duration prefix, Duration silence) implements TurnDetection {
    /// The default.
    public static final ServerVad USUAL =
        new ServerVad(0.5, Duration.ofMillis(300), Duration.ofMillis(300));

    /// @throws IllegalArgumentException that names the value that is out of range
    public ServerVad {
      if (!(threshold >= 0 && threshold <= 1)) {
        throw new IllegalArgumentException(
            "the threshold of turn detection must lie between 0 and 1");
      }
      check("prefix", prefix, 0, 5_000);
      check("silence", silence, 100, 10_000);
    }

    private static void check(String name, Duration value, long least, long most) {
      if (value.toMillis() < least || value.toMillis() > most) {
        throw new IllegalArgumentException(
            "the %s of turn detection must lie between %d and %d ms".formatted(name, least, most));
      }
    }
  }

  /// By content: speech ends when a sentence is complete.
  record SemanticVad(Eagerness eagerness) implements TurnDetection {}

  /// How soon speech counts as finished.
  enum Eagerness {
    LOW,
    MEDIUM,
    HIGH,
    /// The provider's default.
    AUTO
  }
}
