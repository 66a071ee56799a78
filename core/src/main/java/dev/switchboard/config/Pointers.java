package dev.switchboard.config;

/// JSON pointers (RFC 6901), as texts.
final class Pointers {
  private Pointers() {}

  static String member(String pointer, String key) {
    return pointer + "/" + key.replace("~", "~0").replace("/", "~1");
  }
}
