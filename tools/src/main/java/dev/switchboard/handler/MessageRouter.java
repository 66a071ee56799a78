package dev.switchboard.handler;

import dev.switchboard.json.Json;
import dev.switchboard.text.PrincipalName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Delivers the messages of agents. The port for an implementation by the host.
///
/// Implementations are thread-safe.
@FunctionalInterface
public interface MessageRouter {
  /// Delivers to no one. Where no other router is set, a handler of a running call still reaches
  /// the user of the conversation, through its events.
  MessageRouter NOBODY = letter -> Delivery.failed("no router is set up here");

  /// Delivers the message, as far as it can be; what it throws counts as not delivered.
  Delivery send(Letter letter) throws Exception;

  /// Whether there is such a target; where this is unknown, true.
  default boolean knows(Target target) {
    return true;
  }

  /// Forgets a principal: drops its messages that wait to be read, and cuts off the reading of one,
  /// for which it waits a few seconds. Without effect where no message waits.
  default void forget(String principal) {}

  /// A message on its way.
  ///
  /// @param id unique, and unchanged when the same call sends it again
  /// @param from the agent that sends it
  /// @param conversation the id of the conversation that it was sent in
  /// @param kind what kind of message it is, null for the usual one
  /// @param metadata an object for the receiver, null for none
  /// @param principal whose conversation it was sent in; the receiver answers for the same one
  /// @param by who acted for the principal when it was sent, such as an operator; null for the
  ///   principal
  record Letter(
      String id,
      String from,
      String conversation,
      Target target,
      String content,
      @Nullable String kind,
      @Nullable Json metadata,
      String principal,
      @Nullable String by) {
    /// @throws IllegalArgumentException when no principal can have that name
    public Letter {
      principal = PrincipalName.checked(principal);
    }

    /// A message of the principal itself.
    public Letter(
        String id,
        String from,
        String conversation,
        Target target,
        String content,
        @Nullable String kind,
        @Nullable Json metadata,
        String principal) {
      this(id, from, conversation, target, content, kind, metadata, principal, null);
    }

    /// A message from a conversation of the principal `local`.
    public Letter(
        String id,
        String from,
        String conversation,
        Target target,
        String content,
        @Nullable String kind,
        @Nullable Json metadata) {
      this(id, from, conversation, target, content, kind, metadata, PrincipalName.LOCAL);
    }

    /// This message with other words.
    public Letter withContent(String other) {
      return new Letter(id, from, conversation, target, other, kind, metadata, principal, by);
    }

    /// A message of the running call, from its agent. The same call has the same id for it whenever
    /// it sends the same text to the same target.
    public static Letter of(ToolContext context, Target target, String content) {
      String id = context.idempotencyKey() + '-' + digest(target, content);
      return new Letter(
          id,
          context.agentId(),
          context.conversationId(),
          target,
          content,
          null,
          null,
          context.principal(),
          context.actor());
    }

    private static String digest(Target target, String content) {
      return Json.of(List.of(target.type, target.id, content)).digest().substring(0, 12);
    }

    /// This message with that kind.
    public Letter withKind(String word) {
      return new Letter(id, from, conversation, target, content, word, metadata, principal, by);
    }

    /// This message with that metadata for the receiver.
    public Letter withMetadata(Json object) {
      return new Letter(id, from, conversation, target, content, kind, object, principal, by);
    }
  }

  /// The receiver of a message.
  ///
  /// @param type `user`, `agent`, `group` or `channel`
  /// @param id which one; empty for the user of the conversation
  record Target(String type, String id) {
    /// The user of the conversation.
    public static final Target USER = new Target("user", "");
  }

  /// Whether a message was delivered.
  ///
  /// @param delivered the number of receivers that it reached
  /// @param failed the number of receivers that it did not reach
  /// @param problem why not, a clause; null if nothing failed
  record Delivery(int delivered, int failed, @Nullable String problem) {
    /// Delivered to its one receiver.
    public static final Delivery DONE = new Delivery(1, 0, null);

    /// Not delivered.
    ///
    /// @param problem why, a clause
    public static Delivery failed(String problem) {
      return new Delivery(0, 1, problem);
    }

    /// The sum of both, with both problems.
    public Delivery plus(Delivery other) {
      return new Delivery(
          delivered + other.delivered, failed + other.failed, problems(problem, other.problem));
    }

    private static @Nullable String problems(@Nullable String one, @Nullable String other) {
      return one == null ? other : other == null ? one : one + "; " + other;
    }
  }
}
