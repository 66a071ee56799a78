package dev.switchboard.phone.engine.realtime;

import java.time.Duration;

/// How the provider detects that the caller begins to speak, and has finished.
public sealed interface TurnDetection {
  /// By volume: speech ends with a silence.
  ///
  /// @param threshold how loud speech is, from 0 to 1
  /// @param prefix audio before the beginning that belongs to the speech, at most 5 seconds
  /// @param silence after which the speech has ended, from 100 ms to 10 seconds
  record ServerVad(double threshold, Duration prefix, Duration silence) implements TurnDetection {
    /// The usual one.
    public static final ServerVad USUAL =
        new ServerVad(0.5, Duration.ofMillis(300), Duration.ofMillis(300));

    /// @throws IllegalArgumentException naming what is out of its range
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

  /// By meaning: speech ends when a sentence is complete.
  record SemanticVad(Eagerness eagerness) implements TurnDetection {}

  /// How soon speech counts as finished.
  enum Eagerness {
    LOW,
    MEDIUM,
    HIGH,
    /// As the provider sees fit.
    AUTO
  }
}
