package dev.switchboard.phone.testing;

import dev.switchboard.phone.audio.MuLaw;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A recording of both sides of a call.
///
/// @param caller the caller's audio, a sample per byte, from the first media message on
/// @param agent the audio that the caller heard, of the same length
@SuppressWarnings("ArrayRecordComponent") // samples, which are not compared
public record LineRecording(byte[] caller, byte[] agent) {
  private static final int FORMAT_MU_LAW = 7;
  private static final int HEADER = 44;
  private static final int RATE = 1_000 * MuLaw.SAMPLES_PER_MS;

  /// An interval of sound.
  ///
  /// @param start in milliseconds since the first media message
  /// @param end in milliseconds, exclusive
  public record Stretch(long start, long end) {
    /// Its length, in milliseconds.
    public long length() {
      return end - start;
    }
  }

  /// The intervals in which the caller heard something.
  ///
  /// @param gap the silence, in milliseconds, that separates two intervals
  public List<Stretch> heard(int gap) {
    return stretches(agent, gap);
  }

  /// The intervals in which the caller said something.
  ///
  /// @param gap the silence, in milliseconds, that separates two intervals
  public List<Stretch> said(int gap) {
    return stretches(caller, gap);
  }

  private static List<Stretch> stretches(byte[] samples, int gap) {
    List<Stretch> stretches = new ArrayList<>();
    int start = -1;
    int last = -1;
    for (int i = 0; i <= samples.length; i++) {
      boolean sounds = i < samples.length && MuLaw.decode(samples[i]) != 0;
      boolean over = i == samples.length || i - last > gap * MuLaw.SAMPLES_PER_MS;
      if (start >= 0 && !sounds && over) {
        stretches.add(new Stretch(milliseconds(start), milliseconds(last + 1)));
        start = -1;
      }
      if (sounds) {
        start = start < 0 ? i : start;
        last = i;
      }
    }
    return stretches;
  }

  private static long milliseconds(long samples) {
    return (samples + MuLaw.SAMPLES_PER_MS / 2) / MuLaw.SAMPLES_PER_MS;
  }

  /// Writes it as a WAV file with two channels, the caller's first.
  public void write(Path file) throws IOException {
    int frames = Math.max(caller.length, agent.length);
    ByteBuffer wav = ByteBuffer.allocate(HEADER + 2 * frames).order(ByteOrder.LITTLE_ENDIAN);
    word(wav, "RIFF").putInt(HEADER - 8 + 2 * frames);
    word(word(wav, "WAVE"), "fmt ").putInt(16).putShort((short) FORMAT_MU_LAW).putShort((short) 2);
    wav.putInt(RATE).putInt(2 * RATE).putShort((short) 2).putShort((short) 8);
    word(wav, "data").putInt(2 * frames);
    byte[] left = padded(caller, frames);
    byte[] right = padded(agent, frames);
    for (int i = 0; i < frames; i++) {
      wav.put(left[i]).put(right[i]);
    }
    Files.write(file, wav.array());
  }

  private static ByteBuffer word(ByteBuffer wav, String word) {
    return wav.put(word.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] padded(byte[] samples, int length) {
    byte[] padded = Arrays.copyOf(samples, length);
    Arrays.fill(padded, samples.length, length, MuLaw.SILENCE);
    return padded;
  }
}
