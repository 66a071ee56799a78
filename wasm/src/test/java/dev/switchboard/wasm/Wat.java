package dev.switchboard.wasm;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A module's bytes, put together by hand: what a section should hold is said in code, right or
/// wrong.
final class Wat {
  static final int I32 = 0x7f;
  static final int I64 = 0x7e;
  static final int FUNCREF = 0x70;
  static final String WASI = "wasi_snapshot_preview1";

  private final Map<Integer, List<byte[]>> sections = new LinkedHashMap<>();
  private final List<byte[]> extra = new ArrayList<>();
  private int functions;
  private int types;

  /// Adds a type; its index.
  int type(List<Integer> parameters, List<Integer> results) {
    entry(1, all(b(0x60), vector(parameters), vector(results)));
    return types++;
  }

  /// Imports a function of WASI; its index. Imports come before functions.
  int wasi(String name, int parameters) {
    return imported(WASI, name, type(java.util.Collections.nCopies(parameters, I32), List.of(I32)));
  }

  /// Imports a function; its index.
  int imported(String module, String name, int type) {
    entry(2, all(name(module), name(name), b(0), u(type)));
    return functions++;
  }

  /// Adds a function of that type; its index.
  int function(int type, byte[]... code) {
    return withLocals(type, u(0), code);
  }

  /// Adds a function whose locals are stated as they stand in the section; its index.
  int withLocals(int type, byte[] locals, byte[]... code) {
    entry(3, u(type));
    byte[] body = all(locals, all(code), b(0x0b));
    entry(10, all(u(body.length), body));
    return functions++;
  }

  /// Adds a function without parameters and results, and exports it as `_start`.
  Wat start(byte[]... code) {
    return export("_start", function(type(List.of(), List.of()), code));
  }

  Wat export(String name, int function) {
    entry(7, all(name(name), b(0), u(function)));
    return this;
  }

  Wat memory(int pages) {
    entry(5, all(b(0), u(pages)));
    entry(7, all(name("memory"), b(2), u(0)));
    return this;
  }

  Wat data(int address, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    entry(11, all(b(0), i32(address), b(0x0b), u(bytes.length), bytes));
    return this;
  }

  /// Adds an entry to that section.
  Wat entry(int section, byte[] bytes) {
    sections.computeIfAbsent(section, key -> new ArrayList<>()).add(bytes);
    return this;
  }

  /// Adds a section as it is, at the end.
  Wat section(int id, byte[] bytes) {
    extra.add(all(b(id), u(bytes.length), bytes));
    return this;
  }

  byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {0, 'a', 's', 'm', 1, 0, 0, 0});
    for (int id : List.of(1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11)) {
      List<byte[]> entries = sections.get(id);
      if (entries != null) {
        byte[] bytes = all(entries.toArray(byte[][]::new));
        // The section of the start function has no count.
        byte[] whole = id == 8 ? bytes : all(u(entries.size()), bytes);
        out.writeBytes(all(b(id), u(whole.length), whole));
      }
    }
    extra.forEach(out::writeBytes);
    return out.toByteArray();
  }

  // --- bytes

  static byte[] b(int... bytes) {
    byte[] all = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      all[i] = (byte) bytes[i];
    }
    return all;
  }

  static byte[] all(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  static byte[] times(int count, byte[] part) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /// An unsigned number.
  static byte[] u(long number) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long left = number;
    do {
      int low = (int) (left & 0x7f);
      left >>>= 7;
      out.write(left == 0 ? low : low | 0x80);
    } while (left != 0);
    return out.toByteArray();
  }

  /// A signed number.
  static byte[] s(long number) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long left = number;
    while (true) {
      int low = (int) (left & 0x7f);
      left >>= 7;
      boolean last = left == 0 && (low & 0x40) == 0 || left == -1 && (low & 0x40) != 0;
      out.write(last ? low : low | 0x80);
      if (last) {
        return out.toByteArray();
      }
    }
  }

  static byte[] name(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return all(u(bytes.length), bytes);
  }

  private static byte[] vector(List<Integer> bytes) {
    return all(u(bytes.size()), b(bytes.stream().mapToInt(Integer::intValue).toArray()));
  }

  // --- instructions

  static byte[] i32(int number) {
    return all(b(0x41), s(number));
  }

  static byte[] i64(long number) {
    return all(b(0x42), s(number));
  }

  static byte[] call(int function) {
    return all(b(0x10), u(function));
  }

  /// A loop without an end, with that inside.
  static byte[] forever(byte[]... code) {
    return all(b(0x03, 0x40), all(code), b(0x0c, 0, 0x0b));
  }

  static byte[] store(int address, int number) {
    return all(i32(address), i32(number), b(0x36, 2, 0));
  }

  static byte[] load(int address) {
    return all(i32(address), b(0x28, 2, 0));
  }

  static byte[] drop() {
    return b(0x1a);
  }

  /// Writes these bytes of the memory, by an entry that is put at 0; the count goes to 8.
  static byte[] write(int fdWrite, int descriptor, int address, int length) {
    return all(
        store(0, address),
        store(4, length),
        i32(descriptor),
        i32(0),
        i32(1),
        i32(8),
        call(fdWrite),
        drop());
  }
}
