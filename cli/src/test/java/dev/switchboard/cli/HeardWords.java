package dev.switchboard.cli;

import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.testing.SimulatedCall;
import dev.switchboard.phone.testing.Speech;
import java.util.Arrays;
import org.awaitility.Awaitility;

/// What a caller has heard, sample for sample.
final class HeardWords {
  private HeardWords() {}

  /// Waits until a caller has heard these words to their end, and nothing after them.
  static void await(SimulatedCall call, String words) {
    byte[] expected = sounds(Speech.of(words));
    Awaitility.await()
        .until(() -> endsWith(sounds(call.recording().agent()), expected) && call.waiting() == 0);
  }

  private static boolean endsWith(byte[] sounds, byte[] end) {
    int from = sounds.length - end.length;
    return from >= 0 && Arrays.equals(sounds, from, sounds.length, end, 0, end.length);
  }

  /// The audio without silence, which the line has between frames that come late.
  private static byte[] sounds(byte[] audio) {
    byte[] sounds = new byte[audio.length];
    int length = 0;
    for (byte sample : audio) {
      if (sample != MuLaw.SILENCE) {
        sounds[length++] = sample;
      }
    }
    return Arrays.copyOf(sounds, length);
  }
}
