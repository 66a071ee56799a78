package dev.switchboard.phone.audio;

import java.time.Duration;

/// Tones of a single pitch.
public final class Tone {
  /// The length of a soft tone, with the silence after it.
  public static final Duration SOFT_PERIOD = Duration.ofSeconds(2);

  private static final double SAMPLES_PER_SECOND = 8_000;
  private static final Duration RAMP = Duration.ofMillis(30);
  private static final Duration SOFT = Duration.ofMillis(400);

  private Tone() {}

  /// A tone that begins and ends without a click.
  ///
  /// @param hertz below 4,000
  /// @param loudness from 0 to 1
  public static byte[] of(double hertz, double loudness, Duration length) {
    int ramp = MuLaw.samples(RAMP);
    byte[] samples = new byte[MuLaw.samples(length)];
    for (int i = 0; i < samples.length; i++) {
      double edge = Math.min(1, Math.min(i, samples.length - 1 - i) / (double) ramp);
      double wave = Math.sin(2 * Math.PI * hertz * i / SAMPLES_PER_SECOND);
      samples[i] = MuLaw.encode((short) (Short.MAX_VALUE * loudness * edge * wave));
    }
    return samples;
  }

  /// A soft tone of two seconds, most of them silent, to be repeated while a caller waits.
  public static byte[] soft() {
    byte[] period = MuLaw.silence(SOFT_PERIOD);
    byte[] sound = of(440, 0.08, SOFT);
    System.arraycopy(sound, 0, period, 0, sound.length);
    return period;
  }
}
