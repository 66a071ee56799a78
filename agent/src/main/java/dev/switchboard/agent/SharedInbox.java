package dev.switchboard.agent;

import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.LocalRouter;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;
import dev.switchboard.text.DerivedId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The inbox of an agent whose turns run in whichever process claims them: a message is an input of
/// the conversation that the agent has with the sender for the principal.
///
/// One message of that conversation waits or is read at a time, and [LocalRouter#BRAKE] passes
/// before the next one, whichever process sends it: so agents do not answer each other endlessly.
/// Thread-safe.
final class SharedInbox implements MessageRouter {
  private final String agent;
  private final ConversationStore store;
  private final ConversationQueue queue;

  /// @param store of the agent
  SharedInbox(String agent, ConversationStore store) {
    ConversationQueue shared = store.queue();
    if (shared == null) {
      throw new IllegalArgumentException(
          "agent '" + agent + "' has no store that processes share: open it with Storage.shared");
    }
    this.agent = agent;
    this.store = store;
    this.queue = shared;
  }

  @Override
  public Delivery send(Letter letter) {
    String conversation = DerivedId.of(DerivedId.AGENT, agent, letter.principal(), letter.from());
    if (isKnown(conversation, letter.id())) {
      return Delivery.DONE;
    }
    String problem = problem(store.directory().conversation(conversation));
    if (problem != null) {
      return Delivery.failed(problem);
    }
    Input.Said said = LetterText.input(letter, LetterText.of(letter, null));
    boolean unused = queue.submit(conversation, letter.principal(), InputJson.line(said));
    return Delivery.DONE;
  }

  private boolean isKnown(String conversation, String id) {
    return queue.inputs(conversation).stream().anyMatch(input -> input.key().equals(id))
        || store.state(conversation).load().value().loop().knows(id);
  }

  /// Why the conversation takes no message now; null if it does.
  private @Nullable String problem(@Nullable Summary conversation) {
    if (conversation == null) {
      return null;
    }
    if (conversation.waiting() > 0) {
      return "agent '%s' waits for a person before it reads on, try again later".formatted(agent);
    }
    if (conversation.running()) {
      return "agent '%s' has not read the message before, try again later".formatted(agent);
    }
    Instant last = conversation.last();
    Duration left =
        last == null
            ? Duration.ZERO
            : LocalRouter.BRAKE.minus(Duration.between(last, store.time().now()));
    return left.isPositive()
        ? "agent '%s' was written to a moment ago, try again in %d s"
            .formatted(agent, Math.max(1, Math.ceilDiv(left.toMillis(), 1_000L)))
        : null;
  }
}
