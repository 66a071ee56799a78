package dev.switchboard.server;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.model.Message;
import dev.switchboard.server.TurnSlot.Taken;
import dev.switchboard.server.access.Problem;
import dev.switchboard.server.dialect.Parts;
import dev.switchboard.text.Surrogates;
import dev.switchboard.tool.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The messages of users that a conversation has accepted: those that wait for their turn, and
/// those in its log. A message that is delivered twice is found here.
///
/// Thread-safe.
final class AcceptedMessages {
  private final String conversation;
  private final ConversationStore store;
  private final TurnHost turns;

  AcceptedMessages(String conversation, ConversationStore store, TurnHost turns) {
    this.conversation = conversation;
    this.store = store;
    this.turns = turns;
  }

  /// Whether there is a message of that id.
  boolean has(String input) {
    return find(input) != null;
  }

  /// The equal message of that id; null if there is none.
  ///
  /// @throws Problem when another message has that id
  @Nullable Taken equal(String input, Message.User message) {
    Taken earlier = find(input);
    if (earlier != null && !earlier.text().equals(Surrogates.repaired(message.shown()))) {
      throw Problem.of(409, "id_used", "Another sentence was sent before under this id or key.");
    }
    return earlier;
  }

  /// The number of the event before the turn of the message of that id; -1 if there is none.
  long before(String input) {
    Taken message = find(input);
    return message == null ? -1 : message.after();
  }

  private @Nullable Taken find(String input) {
    for (TurnHost.Waiting waiting : turns.taken()) {
      if (waiting.sentence().input().equals(input)) {
        return waiting.sentence();
      }
    }
    Event.Logged logged = store.event(conversation, "user/" + input);
    if (logged == null) {
      return null;
    }
    String text = Parts.shown(logged.event().tree().path("payload"));
    return new Taken(input, text, TurnIndex.before(logged.number() - 1));
  }

  /// The id of the message with which the run of that id began; null if there was none.
  @Nullable String beginOf(String run) {
    for (TurnHost.Waiting waiting : turns.taken()) {
      if (run.equals(waiting.run())) {
        return waiting.sentence().input();
      }
    }
    Event.Logged logged = store.event(conversation, "run/" + run);
    return logged == null ? null : logged.event().tree().path("payload").path("input").asString("");
  }

  /// The id of the message whose turn is next; null if all are in the log.
  @Nullable String next() {
    List<TurnHost.Waiting> waiting = turns.taken();
    return waiting.isEmpty() ? null : waiting.getFirst().sentence().input();
  }
}
