package dev.switchboard.cli.chat;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Where the user's lines come from.
public interface Input {
  /// The next line, waited for; null after the last.
  ///
  /// @param prompt shown to the user
  @Nullable String next(String prompt) throws IOException;

  /// The next line where a person is asked for an answer, which is not remembered.
  default @Nullable String answer(String prompt) throws IOException {
    return next(prompt);
  }

  /// Told when the agent begins to work, and that it has ended its work.
  default void working(boolean works) {}
}
