package dev.switchboard.mount;

/// A [Bound] is reached; the message is a sentence for the client.
public final class FullException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /// @param sentence for the client
  public FullException(String sentence) {
    super(sentence, null, false, false);
  }
}
