package dev.switchboard.phone.engine.realtime;

import dev.switchboard.agent.LiveSession;
import dev.switchboard.model.Message;
import dev.switchboard.model.RequestedCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The items of a session's conversation that messages are: calls as calls with their outputs, and
/// what services have answered never as words of the runtime.
final class SessionItems {
  private static final int MOST_UNCONFIRMED = 1_000;

  private final Map<String, RequestedCall> calls = new HashMap<>(); // without an output yet

  private final Map<String, Item> unconfirmed = new LinkedHashMap<>(); // calls, by event id

  /// An item.
  ///
  /// @param call with its output; null for a text. A server that does not take calls of others gets
  ///   the text, which contains the output
  record Item(Role role, String text, @Nullable Call call) {}

  /// A tool call that the model has not made in this session, and its output.
  ///
  /// @param arguments JSON
  record Call(String id, String tool, String arguments, String output) {}

  /// The author of an item.
  enum Role {
    USER,
    ASSISTANT,
    SYSTEM
  }

  /// The items that a message adds.
  List<Item> of(Message message) {
    List<Item> items = new ArrayList<>();
    switch (message) {
      case Message.User user -> add(items, Role.USER, user.shown());
      case Message.Assistant(String text, List<RequestedCall> asked, var unused) -> {
        add(items, Role.ASSISTANT, text);
        asked.forEach(call -> calls.put(call.id(), call));
      }
      case Message.Notice(String text) -> add(items, Role.SYSTEM, text);
      case Message.Result result -> items.add(item(result));
      case Message.System system -> {}
    }
    return items;
  }

  private static void add(List<Item> items, Role role, String text) {
    if (!text.isBlank()) {
      items.add(new Item(role, text, null));
    }
  }

  private Item item(Message.Result result) {
    RequestedCall asked = calls.remove(result.callId());
    String words = LiveSession.resultInWords(result.tool(), result.text());
    Call call =
        asked == null
            ? null
            : new Call(asked.id(), asked.name(), asked.arguments().text(), result.text());
    return new Item(Role.USER, words, call);
  }

  /// The messages that add a message's items.
  ///
  /// @param asCalls whether the server takes calls that its model has not made
  List<String> messages(Message message, ClientMessages messages, boolean asCalls) {
    List<String> texts = new ArrayList<>();
    for (Item item : of(message)) {
      Call call = item.call();
      if (call == null || !asCalls) {
        texts.add(messages.add(item));
      } else {
        for (ClientMessages.Numbered numbered : messages.call(call)) {
          unconfirmed.put(numbered.id(), item);
          texts.add(numbered.text());
        }
      }
    }
    while (unconfirmed.size() > MOST_UNCONFIRMED) {
      unconfirmed.remove(unconfirmed.keySet().iterator().next());
    }
    return texts;
  }

  /// The message that adds a call in words, since the server has refused the message of that id,
  /// which added it or its output; null for another message, and the second time.
  @Nullable String refused(String event, ClientMessages messages) {
    Item refused = unconfirmed.remove(event);
    if (refused == null) {
      return null;
    }
    unconfirmed.values().removeIf(other -> isSame(refused, other));
    return messages.add(refused);
  }

  @SuppressWarnings("ReferenceEquality") // both messages of the pair hold the very same item
  private static boolean isSame(Item one, Item other) {
    return one == other;
  }
}
