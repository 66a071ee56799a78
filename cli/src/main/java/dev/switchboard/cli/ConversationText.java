package dev.switchboard.cli;

import dev.switchboard.agent.StoredConversations;
import dev.switchboard.agent.StoredConversations.Stored;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.RequestedCall;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Prints the messages and calls of a conversation.
///
/// @param json whether each message is printed as a JSON object on one line
record ConversationText(Terminal terminal, boolean json) {
  /// A message, and when it was written, empty if unknown.
  private record Said(String at, Message message) {}

  /// Prints the whole conversation.
  void show(Stored stored) {
    said(stored).forEach(json ? this::object : this::lines);
  }

  private static List<Said> said(Stored stored) {
    List<Said> all = new ArrayList<>();
    for (StoredConversations.Line line : stored.lines()) {
      String at = line.at().toString();
      line.entry().messages().forEach(message -> all.add(new Said(at, message)));
    }
    for (SettledCall settled : stored.calls()) {
      String id = settled.call().id();
      String name = settled.call().name();
      RequestedCall call = new RequestedCall(id, name, settled.call().arguments(), null);
      all.add(new Said("", new Message.Assistant("", List.of(call))));
      String text = String.valueOf(settled.result().text());
      all.add(new Said("", new Message.Result(id, name, text, settled.result().success())));
    }
    return all;
  }

  private void object(Said said) {
    ObjectNode out = Codec.object();
    if (!said.at.isEmpty()) {
      out.put("at", said.at);
    }
    switch (said.message) {
      case Message.System(String text) -> out.put("role", "system").put("text", text);
      case Message.User user -> {
        out.put("role", "user").put("text", user.text());
        user.files().forEach(file -> out.withArray("files").add(file.json().tree()));
      }
      case Message.Notice(String text) -> out.put("role", "notice").put("text", text);
      case Message.Assistant(String text, List<RequestedCall> calls, var items) -> {
        out.put("role", "assistant").put("text", text);
        calls.forEach(call ->
            out.withArray("calls")
                .addObject()
                .put("id", call.id())
                .put("name", call.name())
                .put("arguments", call.arguments().text()));
      }
      case Message.Result(String id, String tool, String text, boolean success) ->
          out.put("role", "tool")
              .put("tool", tool)
              .put("callId", id)
              .put("success", success)
              .put("text", text);
    }
    terminal.out().println(Json.of(out));
  }

  private void lines(Said said) {
    switch (said.message) {
      case Message.System(String text) -> say("system", text);
      case Message.User user -> {
        terminal.out().println();
        say("user", user.shown());
      }
      case Message.Notice(String text) -> say("notice", text);
      case Message.Assistant(String text, List<RequestedCall> calls, var items) -> {
        if (!text.isEmpty()) {
          say("agent", text);
        }
        calls.forEach(call -> say("call", call.name() + " " + call.arguments().text()));
      }
      case Message.Result(String id, String tool, String text, boolean success) ->
          say(success ? "result" : "failed", tool + " " + text);
    }
  }

  private void say(String who, String text) {
    String indented = text.replace("\n", "\n        ");
    terminal.out().println("%-6s  %s".formatted(who, indented));
  }
}
