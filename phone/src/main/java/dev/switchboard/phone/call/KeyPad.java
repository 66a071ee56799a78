package dev.switchboard.phone.call;

/// Keys that the caller presses, collected to one note: until `#`, or two seconds without one.
///
/// For one thread.
final class KeyPad {
  private static final int MOST = 64;

  private final StringBuilder keys = new StringBuilder();

  /// Takes a key; whether the note is complete with it.
  boolean press(char key) {
    if (key == '#') {
      return !keys.isEmpty();
    }
    if (keys.length() < MOST) {
      keys.append(key);
    }
    return keys.length() == MOST;
  }

  /// Whether keys wait for their end.
  boolean isOpen() {
    return !keys.isEmpty();
  }

  /// The keys so far, which are forgotten.
  String take() {
    String taken = keys.toString();
    keys.setLength(0);
    return taken;
  }
}
