package dev.switchboard.cli.chat;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The source of the user's lines.
public interface UserInput {
  /// Waits for the next line; null after the last.
  ///
  /// @param prompt shown to the user
  @Nullable String next(String prompt) throws IOException;

  /// The next line as an answer of a person, which is not added to the history.
  default @Nullable String answer(String prompt) throws IOException {
    return next(prompt);
  }

  /// Called when the agent begins and ends its work.
  default void working(boolean works) {}
}
