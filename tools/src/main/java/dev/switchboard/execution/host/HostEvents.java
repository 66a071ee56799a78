package dev.switchboard.execution.host;

import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The events of a session, as its host emits and reads them. Those of the log have a key, and are
/// logged once per key.
///
/// Thread-safe. Events are emitted one after the other; a failure of the log or of the receiver
/// does not affect the caller.
public interface HostEvents {
  /// Whether events are stored.
  boolean isLogged();

  /// Whether this thread is writing or showing events of the log; it must not wait for them.
  boolean isShownHere();

  /// Sets the id of the input to which the following events belong.
  void run(String input);

  /// Logs a client's name for the events that follow from that input, once per name.
  void name(String run, String input);

  /// The event that logs a client's name for the events that follow from that input.
  static Event named(String run, String input) {
    return new Event.AgentEvent("run", Json.of(Codec.object().put("id", run).put("input", input)));
  }

  /// Logs an event without showing it.
  void append(String key, Event event);

  /// Logs and shows an event.
  void show(Event event);

  /// Logs and shows an event of that key.
  void show(String key, Event event);

  /// Logs and shows a piece of the text of the reply of that key, as it arrives.
  void showText(String key, String text);

  /// Shows a message to the user and logs it once; false if either failed.
  boolean show(Letter letter);

  /// Checks that a message is not to another user than that of the conversation.
  ///
  /// @param user the user's id, null if it is unknown
  /// @throws ToolException if it is; the call has then invalid arguments
  static void requireUser(Target target, @Nullable String user) {
    if (target.type().equals("user") && !target.id().isEmpty() && !target.id().equals(user)) {
      throw ToolException.invalid(
          "/target/id", "Only the user of this conversation can be reached: leave out the id.");
    }
  }

  /// Voids the text of a reply that a dead process logged, before the reply is requested again.
  void restart(String key);

  /// Logs the text of a stored reply that its dead process did not log.
  void complete(String key, String text);

  /// Waits until all events are stored and shown, or dropped; returns the store's exception if
  /// events were dropped since the last call, otherwise null.
  @Nullable RuntimeException flush();

  /// Waits until no more events are unstored than can join the next write; returns as [#flush()].
  @Nullable RuntimeException gather();

  /// The events of the log after that number, in order, at most `most`.
  List<Event.Logged> after(long number, int most);
}
