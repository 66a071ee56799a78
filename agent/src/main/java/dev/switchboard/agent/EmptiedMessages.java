package dev.switchboard.agent;

import dev.switchboard.model.Message;
import java.util.function.Predicate;

/// What stands in a conversation for results and files that are left out to save space.
///
/// @param readOnly whether the tool of that name only reads, so that its calls can be repeated
record EmptiedMessages(Predicate<String> readOnly) {
  /// The message without its result or files, and without the items of providers; itself where that
  /// would not make it shorter.
  Message emptied(Message message) {
    return switch (message) {
      case Message.User user when !user.files().isEmpty() -> new Message.User(user.shown());
      case Message.Result result -> emptied(result);
      case Message.User user -> user;
      case Message.Assistant said -> said.withoutItems();
      case Message.System system -> system;
      case Message.Notice notice -> notice;
    };
  }

  private Message emptied(Message.Result result) {
    String placeholder =
        "(The result of '%s' was removed to save space. The call %s.)%s"
            .formatted(
                result.tool(),
                result.success() ? "succeeded" : "failed",
                readOnly.test(result.tool()) ? " You can call it again." : "");
    return result.text().length() <= placeholder.length()
        ? result
        : new Message.Result(result.callId(), result.tool(), placeholder, result.success());
  }
}
