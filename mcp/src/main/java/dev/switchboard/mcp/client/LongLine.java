package dev.switchboard.mcp.client;

import dev.switchboard.json.Codec;
import java.io.IOException;
import java.io.InputStream;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/// A line that is too long. It is skipped; only the id of the answered request is read.
final class LongLine extends InputStream {
  private final BufferedSource in;
  private boolean ended;

  private LongLine(BufferedSource in) {
    this.in = in;
  }

  /// Skips the line, and returns the key of the request that it answers; null if it is unknown.
  static @Nullable String skip(BufferedSource in) throws IOException {
    LongLine line = new LongLine(in);
    String key = AnswerKey.of(Codec.parser(line));
    line.skipRest();
    return key;
  }

  private void skipRest() throws IOException {
    while (!ended && in.request(1)) {
      long end = in.getBuffer().indexOf((byte) '\n');
      in.skip(end < 0 ? in.getBuffer().size() : end + 1);
      ended = end >= 0;
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (ended || !in.request(1)) {
      return -1;
    }
    long end = in.getBuffer().indexOf((byte) '\n');
    if (end == 0) {
      in.skip(1);
      ended = true;
      return -1;
    }
    return in.read(into, from, (int) Math.min(length, end < 0 ? length : end));
  }
}
