package dev.switchboard.cli.edit;

/// Why a file is not changed, in one sentence for the user.
public final class EditRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  EditRefusedException(String sentence) {
    super(sentence);
  }

  /// The sentence.
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
