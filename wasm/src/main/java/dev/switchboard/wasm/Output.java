package dev.switchboard.wasm;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import run.endive.runtime.Memory;

/// The output of a module on one of its streams. One thread writes, another one reads after the
/// end.
final class Output {
  private static final int FIRST = 256;

  private final int limit;
  private byte[] bytes = new byte[0];
  private int length;

  /// @param limit the maximum bytes that are kept
  Output(int limit) {
    this.limit = limit;
  }

  /// Appends that range of the memory up to the limit; returns whether all of it fits.
  boolean add(Memory memory, int address, int count) {
    int taken = Math.min(count, limit - length);
    if (bytes.length < length + taken) {
      int larger = Math.max(FIRST, Math.min(limit, 2 * bytes.length));
      bytes = Arrays.copyOf(bytes, Math.max(larger, length + taken));
    }
    System.arraycopy(memory.readBytes(address, taken), 0, bytes, length, taken);
    length += taken;
    return taken == count;
  }

  int limit() {
    return limit;
  }

  /// The text, as UTF-8.
  String text() {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  /// The last bytes of the text, as UTF-8.
  String end(int most) {
    int from = Math.max(0, length - most);
    return new String(bytes, from, length - from, StandardCharsets.UTF_8);
  }
}
