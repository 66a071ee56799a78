package dev.switchboard.cli.chat;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.tool.Event;
import java.time.Duration;

/// Shows a conversation.
///
/// Implementations are thread-safe.
public interface View {
  /// Shows an event of the conversation.
  void show(Event event);

  /// Called with the duration of the call whose result was just shown.
  void took(String call, Duration length);

  /// Called when the agent begins and ends its work.
  default void working(boolean works) {}

  /// Called when time has passed.
  default void tick() {}

  /// Called when running calls are cancelled, if they allow it.
  default void cancelling() {}

  /// Shows a line that is neither the agent's nor an event: the output of a command, a hint.
  void say(String line);

  /// Shows a line of a chat command's output.
  default void list(String line) {
    say(line);
  }

  /// Shows a request for consent, with all its arguments.
  void ask(ConsentRequest request);

  /// Called when a person has answered a request, right before its call continues.
  void answered(ConsentRequest request);

  /// Called when the turn has ended, with its last text, which may have been shown already.
  void rest(String words);

  /// Whether its reader is gone.
  default boolean broken() {
    return false;
  }
}
