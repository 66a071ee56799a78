package dev.switchboard.cli.edit;

/// Why a file is not changed, in one sentence for the user.
public final class Refused extends Exception {
  private static final long serialVersionUID = 1L;

  Refused(String sentence) {
    super(sentence);
  }

  /// The sentence.
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
