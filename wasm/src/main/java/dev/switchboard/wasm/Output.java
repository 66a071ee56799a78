package dev.switchboard.wasm;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import run.endive.runtime.Memory;

/// What a module writes to one of its streams. One thread writes, and another reads when that has
/// ended.
final class Output {
  private static final int FIRST = 256;

  private final int limit;
  private byte[] bytes = new byte[0];
  private int length;

  /// @param limit bytes that are kept
  Output(int limit) {
    this.limit = limit;
  }

  /// Adds what there is room for of that range of the memory; whether that was all of it.
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

  /// The last bytes of it, as UTF-8.
  String end(int most) {
    int from = Math.max(0, length - most);
    return new String(bytes, from, length - from, StandardCharsets.UTF_8);
  }
}
