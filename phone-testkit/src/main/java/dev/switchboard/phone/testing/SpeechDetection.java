package dev.switchboard.phone.testing;

import dev.switchboard.phone.audio.MuLaw;
import java.util.ArrayList;
import java.util.List;

/// Detects speech in audio by its loudness, like a server that detects turns: speech is loud for 60
/// ms, and ends after a silence.
final class SpeechDetection {
  private static final int WINDOW_MS = 20;
  private static final int BEGINNING_MS = 60;
  private static final int LOUDEST = 4_000;

  private final double level;
  private final int silenceMs;
  private long ms;
  private int samples;
  private long sum;
  private int loudMs;
  private int quietMs;
  private boolean speaking;

  /// @param threshold from 0 to 1
  SpeechDetection(double threshold, int silenceMs) {
    level = threshold * LOUDEST / 4;
    this.silenceMs = silenceMs;
  }

  /// A beginning or an end of speech.
  ///
  /// @param ms since the beginning of the audio
  record Edge(boolean start, long ms) {}

  /// The edges in that audio, which follows the earlier audio.
  List<Edge> detect(byte[] audio) {
    List<Edge> edges = new ArrayList<>();
    for (byte sample : audio) {
      sum += Math.abs((int) MuLaw.decode(sample));
      samples++;
      if (samples == WINDOW_MS * MuLaw.SAMPLES_PER_MS) {
        window(sum / (double) samples > level, edges);
        samples = 0;
        sum = 0;
      }
    }
    return edges;
  }

  private void window(boolean loud, List<Edge> edges) {
    ms += WINDOW_MS;
    loudMs = loud ? loudMs + WINDOW_MS : 0;
    quietMs = loud ? 0 : quietMs + WINDOW_MS;
    if (!speaking && loudMs >= BEGINNING_MS) {
      speaking = true;
      edges.add(new Edge(true, ms - loudMs));
    } else if (speaking && quietMs >= silenceMs) {
      speaking = false;
      edges.add(new Edge(false, ms - quietMs));
    }
  }
}
