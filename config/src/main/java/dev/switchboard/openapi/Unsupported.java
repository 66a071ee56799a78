package dev.switchboard.openapi;

/// A part of a document that cannot become a tool; the message says why, as the rest of a sentence.
final class Unsupported extends Exception {
  private static final long serialVersionUID = 1L;

  Unsupported(String why) {
    super(why, null, false, false);
  }

  String why() {
    return String.valueOf(getMessage());
  }
}
