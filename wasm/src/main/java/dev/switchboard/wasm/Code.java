package dev.switchboard.wasm;

/// Scans a module's instructions before the library creates objects for them: their number, their
/// nesting, the distance of branches, and kinds that no limit of a call could contain.
final class Code {
  /// The maximum nesting depth of blocks.
  private static final int MOST_DEPTH = 20_000;

  /// The maximum number of blocks that all branches together leave: the library counts them to find
  /// targets.
  private static final long MOST_REACH = 200_000_000;

  private long instructions;
  private long reach;

  /// The number of instructions.
  long instructions() {
    return instructions;
  }

  /// Skips the body of a function, after its locals.
  void pass(Cursor at) {
    int depth = 1;
    while (depth > 0) {
      int code = at.octet();
      instructions++;
      switch (code) {
        case 0x02, 0x03, 0x04 -> {
          at.skipNumber(33);
          depth++;
        }
        case 0x0b -> depth--;
        case 0x0c, 0x0d -> branch(at);
        case 0x0e -> branches(at);
        default -> pass(code, at);
      }
      if (depth > MOST_DEPTH) {
        throw new IllegalArgumentException("file has blocks that are nested too deeply");
      }
    }
    if (at.left() > 0) {
      throw at.fault("a function is longer than its code");
    }
  }

  private void branch(Cursor at) {
    reach += at.number();
    if (reach > MOST_REACH) {
      throw new IllegalArgumentException("file has branches that reach too far");
    }
  }

  private void branches(Cursor at) {
    int count = at.count("branches of one instruction", at.left());
    instructions += count;
    for (int i = 0; i <= count; i++) {
      branch(at);
    }
  }

  /// Skips the operands of an instruction that is neither a block nor a branch.
  private static void pass(int code, Cursor at) {
    switch (code) {
      case 0x00, 0x01, 0x05, 0x0f, 0x1a, 0x1b, 0xd1 -> {}
      case 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x3f, 0x40, 0xd2 -> at.skipNumber(32);
      case 0x11 -> skipNumbers(at, 2);
      case 0x1c -> at.skip(at.count("types of one instruction", at.left()));
      case 0x41 -> at.skipNumber(32);
      case 0x42 -> at.skipNumber(64);
      case 0x43 -> at.skip(4);
      case 0x44 -> at.skip(8);
      case 0xd0 -> reference(at);
      case 0xfc -> bulk(at);
      case 0xfd -> throw Outline.unsupported("vectors (SIMD)");
      case 0x12, 0x13, 0x15 -> throw Outline.unsupported("tail calls");
      case 0x06, 0x07, 0x08, 0x09, 0x0a, 0x18, 0x19, 0x1f ->
          throw Outline.unsupported("exceptions");
      case 0x14, 0xd3, 0xd4, 0xd5, 0xd6 ->
          throw Outline.unsupported("types of references of its own");
      case 0xfb -> throw Outline.unsupported("garbage collection");
      case 0xfe -> throw Outline.unsupported("threads");
      default -> plain(code, at);
    }
  }

  private static void plain(int code, Cursor at) {
    if (code >= 0x28 && code <= 0x3e) {
      address(at);
    } else if (code < 0x45 || code > 0xc4) {
      throw at.fault("unknown instruction " + Integer.toHexString(code));
    }
  }

  private static void skipNumbers(Cursor at, int count) {
    for (int i = 0; i < count; i++) {
      at.skipNumber(32);
    }
  }

  /// A reference type: of a function, or of an object of the host.
  static void reference(Cursor at) {
    int type = at.octet();
    if (type != 0x70 && type != 0x6f) {
      throw Outline.unsupported("types of references of its own");
    }
  }

  private static void address(Cursor at) {
    boolean namesMemory = at.number() >= 64;
    skipNumbers(at, namesMemory ? 2 : 1);
  }

  private static void bulk(Cursor at) {
    int code = (int) at.number();
    switch (code) {
      case 0, 1, 2, 3, 4, 5, 6, 7 -> {}
      case 8, 10, 12, 14 -> skipNumbers(at, 2);
      case 9, 11, 13, 15, 16, 17 -> at.skipNumber(32);
      default -> throw at.fault("unknown instruction fc" + Integer.toHexString(code));
    }
  }
}
