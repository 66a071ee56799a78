package dev.switchboard.phone.testing;

import dev.switchboard.phone.audio.MuLaw;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Audio and marks that wait to be played on a line.
///
/// Thread-safe.
final class PlayBuffer {
  private final ArrayDeque<Object> pieces = new ArrayDeque<>(); // guarded by this
  private final List<String> passed = new ArrayList<>(); // marks of the last frame; guarded by this

  /// Audio from that sample on.
  private static final class Audio {
    final byte[] samples;
    int from;

    Audio(byte[] samples) {
      this.samples = samples;
    }

    int left() {
      return samples.length - from;
    }
  }

  /// A mark.
  private record Mark(String name) {}

  synchronized void add(byte[] audio) {
    pieces.add(new Audio(audio));
  }

  synchronized void addMark(String name) {
    pieces.add(new Mark(name));
  }

  /// Fills a frame, with silence if needed. Returns the marks before the frame, not those within
  /// it.
  synchronized List<String> take(byte[] frame) {
    List<String> marks = new ArrayList<>(passed);
    passed.clear();
    int at = 0;
    while (!pieces.isEmpty() && (at < frame.length || pieces.peek() instanceof Mark)) {
      if (pieces.peek() instanceof Audio audio) {
        at += copy(audio, frame, at);
      } else if (pieces.poll() instanceof Mark mark) {
        (at == 0 ? marks : passed).add(mark.name);
      }
    }
    Arrays.fill(frame, at, frame.length, MuLaw.SILENCE);
    return marks;
  }

  private int copy(Audio audio, byte[] frame, int at) {
    int count = Math.min(frame.length - at, audio.left());
    System.arraycopy(audio.samples, audio.from, frame, at, count);
    audio.from += count;
    if (audio.left() == 0) {
      pieces.poll();
    }
    return count;
  }

  /// Drops the audio; returns all waiting marks.
  synchronized List<String> clear() {
    List<String> marks = new ArrayList<>(passed);
    passed.clear();
    for (Object piece : pieces) {
      if (piece instanceof Mark mark) {
        marks.add(mark.name);
      }
    }
    pieces.clear();
    return marks;
  }

  /// The length of waiting audio, in milliseconds.
  synchronized long waiting() {
    int samples = 0;
    for (Object piece : pieces) {
      samples += piece instanceof Audio audio ? audio.left() : 0;
    }
    return samples / MuLaw.SAMPLES_PER_MS;
  }
}
