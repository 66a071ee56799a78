package dev.switchboard.handler;

import dev.switchboard.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The way of a message from an agent to whoever it is for. The port to whatever delivers.
///
/// Implementations are safe for use by several threads.
@FunctionalInterface
public interface MessageRouter {
  /// Delivers to no one. Where it is all that there is, a handler of a running call is given a way
  /// to the user of the conversation, as words in its events.
  MessageRouter NOBODY = letter -> Delivery.failed("no router is set up here");

  /// Delivers the message, as far as it can be; what it throws counts as not delivered.
  Delivery send(Letter letter) throws Exception;

  /// A message on its way.
  ///
  /// @param id unique, and the same when the same call sends it again
  /// @param from the agent that sends it
  /// @param conversation the id of the conversation that it was sent in
  /// @param kind what kind of message it is, null for the usual one
  /// @param metadata an object for whoever reads it, null for none
  record Letter(
      String id,
      String from,
      String conversation,
      Target target,
      String content,
      @Nullable String kind,
      @Nullable Json metadata) {
    /// A message of the running call, from its agent. The same call has the same id for it whenever
    /// it sends the same text to the same target.
    public static Letter of(ToolContext context, Target target, String content) {
      String id = context.idempotencyKey() + '-' + digest(target, content);
      return new Letter(
          id, context.agentId(), context.conversationId(), target, content, null, null);
    }

    private static String digest(Target target, String content) {
      return Json.of(List.of(target.type, target.id, content)).digest().substring(0, 12);
    }

    /// The same of that kind.
    public Letter withKind(String word) {
      return new Letter(id, from, conversation, target, content, word, metadata);
    }

    /// The same with that object for whoever reads it.
    public Letter withMetadata(Json object) {
      return new Letter(id, from, conversation, target, content, kind, object);
    }
  }

  /// Whom a message is for.
  ///
  /// @param type `user`, `agent`, `group` or `channel`
  /// @param id which one; empty for the user of the conversation
  record Target(String type, String id) {}

  /// What became of a message.
  ///
  /// @param delivered to how many it was
  /// @param failed to how many it was not
  /// @param problem why not, a clause; null where nothing failed
  record Delivery(int delivered, int failed, @Nullable String problem) {
    /// Delivered to the one that it was for.
    public static final Delivery DONE = new Delivery(1, 0, null);

    /// Not delivered.
    ///
    /// @param problem why, a clause
    public static Delivery failed(String problem) {
      return new Delivery(0, 1, problem);
    }

    /// Both together.
    public Delivery plus(Delivery other) {
      return new Delivery(
          delivered + other.delivered,
          failed + other.failed,
          problem == null ? other.problem : problem);
    }
  }
}
