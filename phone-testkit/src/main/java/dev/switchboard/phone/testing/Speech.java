package dev.switchboard.phone.testing;

import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.audio.Tone;
import java.io.ByteArrayOutputStream;
import java.time.Duration;

/// Words as audio for tests: a tone for each, as long as the word, followed by a gap.
///
/// Equal words always have equal lengths and pitches, so a recording shows which words it contains.
public final class Speech {
  private static final int MS_PER_LETTER = 40;
  private static final Duration GAP = Duration.ofMillis(40);
  private static final double LOUDNESS = 0.4;

  private Speech() {}

  /// The audio of these words: µ-law, whole frames of 20 ms.
  public static byte[] of(String words) {
    ByteArrayOutputStream audio = new ByteArrayOutputStream();
    for (String word : words.strip().split("\\s+", -1)) {
      if (!word.isEmpty()) {
        audio.writeBytes(Tone.of(pitch(word), LOUDNESS, length(word)));
        audio.writeBytes(MuLaw.silence(GAP));
      }
    }
    return audio.toByteArray();
  }

  /// The length of that audio.
  public static Duration lengthOf(String words) {
    return Duration.ofMillis(of(words).length / MuLaw.SAMPLES_PER_MS);
  }

  private static Duration length(String word) {
    return Duration.ofMillis((long) MS_PER_LETTER * (1 + word.length()));
  }

  private static double pitch(String word) {
    return 300 + Math.floorMod(word.hashCode(), 1200);
  }
}
