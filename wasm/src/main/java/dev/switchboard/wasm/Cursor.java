package dev.switchboard.wasm;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// A reader of a module's bytes. Invalid bytes cause an [IllegalArgumentException] with their
/// position.
final class Cursor {
  private final byte[] bytes;
  private final int end;
  private int at;

  Cursor(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.end = end;
    at = from;
  }

  int at() {
    return at;
  }

  int left() {
    return end - at;
  }

  /// A fault at this position, with the rest of the sentence.
  IllegalArgumentException fault(String what) {
    return new IllegalArgumentException("file is broken at byte %,d: %s".formatted(at, what));
  }

  int octet() {
    if (at >= end) {
      throw fault("it ends too early");
    }
    return bytes[at++] & 0xff;
  }

  void skip(long count) {
    if (count > left()) {
      throw fault("it ends too early");
    }
    at += (int) count;
  }

  /// An unsigned 32-bit number.
  long number() {
    long number = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int octet = octet();
      number |= (long) (octet & 0x7f) << shift;
      if (octet < 0x80) {
        if (number > 0xffff_ffffL) {
          throw fault("a number is too large");
        }
        return number;
      }
    }
    throw fault("a number is too long");
  }

  /// Skips a number of at most that many bits.
  void skipNumber(int bits) {
    for (int shift = 0; shift < bits; shift += 7) {
      if (octet() < 0x80) {
        return;
      }
    }
    throw fault("a number is too long");
  }

  /// A number of elements, each at least one byte long, up to a maximum.
  int count(String things, int most) {
    long count = number();
    if (count > left()) {
      throw fault("it ends too early");
    }
    if (count > most) {
      throw new IllegalArgumentException(
          "file has too many %s: %,d, of at most %,d".formatted(things, count, most));
    }
    return (int) count;
  }

  /// The next part, which begins with its length.
  Cursor part() {
    long length = number();
    int from = at;
    skip(length);
    return new Cursor(bytes, from, at);
  }

  String name() {
    Cursor part = part();
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, part.at, part.left()))
          .toString();
    } catch (CharacterCodingException e) {
      throw fault("a name is not UTF-8");
    }
  }
}
