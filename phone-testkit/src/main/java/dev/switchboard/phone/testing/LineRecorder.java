package dev.switchboard.phone.testing;

import dev.switchboard.phone.audio.MuLaw;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;

/// The audio of a caller: what is still to be said, and a recording of both sides.
///
/// Thread-safe.
final class LineRecorder {
  private final boolean records;
  private final double speed;
  // All guarded by this.
  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private byte[] toSay = new byte[0];
  private int saidOfIt;
  private long since = -1;

  /// @param speed of the line's clock
  LineRecorder(boolean records, double speed) {
    this.records = records;
    this.speed = speed;
  }

  /// Adds audio that the caller says.
  synchronized void say(byte[] audio) {
    byte[] rest = Arrays.copyOfRange(toSay, saidOfIt, toSay.length + audio.length);
    System.arraycopy(audio, 0, rest, rest.length - audio.length, audio.length);
    toSay = rest;
    saidOfIt = 0;
  }

  synchronized boolean allSaid() {
    return saidOfIt == toSay.length;
  }

  /// The next frame of the caller.
  synchronized byte[] nextFrame() {
    byte[] frame = new byte[MediaStream.FRAME];
    int count = Math.min(frame.length, toSay.length - saidOfIt);
    System.arraycopy(toSay, saidOfIt, frame, 0, count);
    Arrays.fill(frame, count, frame.length, MuLaw.SILENCE);
    saidOfIt += count;
    if (records) {
      said.writeBytes(frame);
    }
    return frame;
  }

  /// Records a frame that the caller hears.
  synchronized void record(byte[] frame) {
    if (records) {
      heard.writeBytes(frame);
    }
  }

  /// Begins to record, or adds silence for the time without a stream.
  synchronized void resume() {
    since = since < 0 ? System.nanoTime() : since;
    long missing = at(System.nanoTime()) - heard.size() / MuLaw.SAMPLES_PER_MS;
    if (records && missing > 0) {
      byte[] silence = MuLaw.silence(Duration.ofMillis(missing));
      heard.writeBytes(silence);
      said.writeBytes(silence);
    }
  }

  /// A moment in milliseconds of the line's clock since it began.
  synchronized long at(long nanos) {
    return since < 0 ? 0 : (long) ((nanos - since) / 1e6 * speed);
  }

  /// @throws IllegalStateException when recording is off
  synchronized LineRecording recording() {
    if (!records) {
      throw new IllegalStateException("nothing is recorded");
    }
    int length = Math.min(said.size(), heard.size());
    return new LineRecording(
        Arrays.copyOf(said.toByteArray(), length), Arrays.copyOf(heard.toByteArray(), length));
  }
}
