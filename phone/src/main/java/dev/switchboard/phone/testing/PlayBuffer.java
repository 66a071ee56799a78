package dev.switchboard.phone.testing;

import dev.switchboard.phone.audio.MuLaw;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What waits to be played on a line: audio, and marks in it.
///
/// Safe for use by several threads.
final class PlayBuffer {
  private final ArrayDeque<Object> pieces = new ArrayDeque<>(); // guarded by this
  private final List<String> passed = new ArrayList<>(); // marks of the last frame; guarded by this

  /// Audio that is played from that sample on.
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

  /// Takes a frame, filled up with silence. Returned are the marks that have been played past by
  /// now: those before the frame, not those within it.
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

  /// Forgets the audio; returned are all marks that wait.
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

  /// How much audio waits, in milliseconds.
  synchronized long waiting() {
    int samples = 0;
    for (Object piece : pieces) {
      samples += piece instanceof Audio audio ? audio.left() : 0;
    }
    return samples / MuLaw.SAMPLES_PER_MS;
  }
}
