package dev.switchboard.agent;

import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.host.HostEvents;
import dev.switchboard.execution.host.SeenLeases;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.text.DerivedId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The conversations of an agent that are open in this process, by their ids. Thread-safe.
final class Conversations {
  private final Map<String, Conversation> open = new ConcurrentHashMap<>();
  private final SeenLeases seen = new SeenLeases();

  /// The open conversation of that id, or else a new one.
  ///
  /// @throws ConversationNotFoundException when it is another principal's
  Conversation get(String id, String principal, Function<String, Conversation> opening) {
    Conversation conversation = open.computeIfAbsent(id, opening);
    ConversationNotFoundException.refuseOthers(id, conversation.principal(), principal);
    return conversation;
  }

  /// Adds the conversation, replacing an open one of that id.
  Conversation put(String id, Conversation opened) {
    open.put(id, opened);
    return opened;
  }

  /// The leases of other processes that were seen here.
  SeenLeases seen() {
    return seen;
  }

  /// The open conversation of that id, if its host holds it only while calls run; null otherwise.
  @Nullable BorrowedConversation lent(String id) {
    Conversation conversation = open.get(id);
    LiveSession line = conversation == null ? null : conversation.line();
    return line == null ? null : line.lent();
  }

  private static boolean isOfAgents(String id) {
    return DerivedId.isOf(DerivedId.AGENT, id);
  }

  boolean has(Conversation conversation) {
    return conversation.equals(open.get(conversation.id()));
  }

  void forget(String id, Conversation closed) {
    open.remove(id, closed);
  }

  /// Lets go of those that the agent has with others for that principal.
  void forgetTalks(String principal) {
    open.values().removeIf(one -> isOfAgents(one.id()) && one.principal().equals(principal));
  }

  /// Closes them all.
  ///
  /// @throws IllegalStateException when results of one could not be stored
  void closeAll() {
    IllegalStateException fault = null;
    for (Conversation conversation : List.copyOf(open.values())) {
      try {
        conversation.close();
      } catch (IllegalStateException e) {
        if (fault == null) {
          fault = e;
        } else {
          fault.addSuppressed(e);
        }
      }
    }
    if (fault != null) {
      throw fault;
    }
  }

  /// Shows a message to the user of the conversation that it comes from.
  Delivery deliver(Letter letter) {
    if (isOfAgents(letter.conversation())) {
      return Delivery.failed("its conversation is with an agent and has no user");
    }
    Conversation conversation = open.get(letter.conversation());
    if (conversation == null) {
      return Delivery.failed("its conversation is not open here");
    }
    HostEvents.requireUser(letter.target(), conversation.caller());
    return conversation.show(letter)
        ? Delivery.DONE
        : Delivery.failed("no one listens to its conversation: say it there");
  }
}
