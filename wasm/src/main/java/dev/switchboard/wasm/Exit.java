package dev.switchboard.wasm;

import java.io.Serial;

/// The module's request to exit, thrown through its frames.
final class Exit extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final int code;

  Exit(int code) {
    super(null, null, false, false);
    this.code = code;
  }

  int code() {
    return code;
  }
}
