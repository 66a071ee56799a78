package dev.switchboard.cli.chat;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.tool.Event;
import java.time.Duration;

/// How a conversation is shown.
///
/// Implementations are thread-safe.
public interface View {
  /// Shows an event of the conversation.
  void show(Event event);

  /// Told how long a call has run whose result was just shown.
  void took(String call, Duration length);

  /// Told when the agent begins to work, and that it has ended its work.
  default void working(boolean works) {}

  /// Told that time has passed.
  default void tick() {}

  /// Told that the calls that run are cut off where they may be.
  default void cancelling() {}

  /// Says something that is neither the agent's nor an event: the answer to a command, a hint.
  void say(String line);

  /// Says a line of what a command of the chat was asked for.
  default void list(String line) {
    say(line);
  }

  /// Shows a request for consent, with all of its arguments.
  void ask(ConsentRequest request);

  /// Told that a person has answered a request, right before its call continues.
  void answered(ConsentRequest request);

  /// Told that the turn has ended, with its last words, which it may have shown already.
  void rest(String words);

  /// Whether it is not seen any more.
  default boolean broken() {
    return false;
  }
}
