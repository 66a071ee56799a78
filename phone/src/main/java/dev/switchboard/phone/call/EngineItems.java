package dev.switchboard.phone.call;

import dev.switchboard.agent.LiveSession;
import dev.switchboard.model.Message;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.phone.engine.Engine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Messages of a conversation as items of an engine: calls as calls with their outputs, and what
/// services have answered never as words of the runtime.
final class EngineItems {
  private final List<Engine.Item> items = new ArrayList<>();
  private final Map<String, RequestedCall> calls = new HashMap<>(); // without an output yet

  private EngineItems() {}

  static List<Engine.Item> of(List<Message> messages) {
    EngineItems converted = new EngineItems();
    messages.forEach(converted::add);
    return converted.items;
  }

  private void add(Message message) {
    switch (message) {
      case Message.User user -> add(Engine.Role.USER, user.shown());
      case Message.Assistant(String text, List<RequestedCall> asked, var items) -> {
        add(Engine.Role.ASSISTANT, text);
        asked.forEach(call -> calls.put(call.id(), call));
      }
      case Message.Notice(String text) -> add(Engine.Role.SYSTEM, text);
      case Message.Result result -> add(result);
      case Message.System system -> {}
    }
  }

  private void add(Engine.Role role, String text) {
    if (!text.isBlank()) {
      items.add(new Engine.Item(role, text));
    }
  }

  private void add(Message.Result result) {
    RequestedCall asked = calls.remove(result.callId());
    String words = LiveSession.resultInWords(result.tool(), result.text());
    Engine.Call call =
        asked == null
            ? null
            : new Engine.Call(asked.id(), asked.name(), asked.arguments().text(), result.text());
    items.add(new Engine.Item(Engine.Role.USER, words, call));
  }
}
