package dev.switchboard.model;

import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.List;

/// The pieces of a short conversation, and its recording.
final class Talk {
  static final Message SYSTEM = new Message.System("You take bookings.");
  static final Message FIRST = new Message.User("A table for four at 19:30?");
  static final ToolDefinition CHECK = tool("check_table", "{\"type\":\"object\"}");
  static final RequestedCall CALL = RequestedCall.of("c1", "check_table", "{\"size\":4}");
  static final ModelReply ASKS = ModelReply.calls(CALL);

  private Talk() {}

  static ToolDefinition tool(String name, String parameters) {
    return new ToolDefinition(
        name,
        "Finds a table.",
        Json.text(parameters),
        false,
        ToolMode.READ,
        null,
        null,
        List.of(),
        null);
  }

  static ModelRequest request(Message... messages) {
    return new ModelRequest(List.of(messages), List.of(CHECK), ModelRequest.ToolChoice.AUTO);
  }

  static ModelRequest first() {
    return request(SYSTEM, FIRST);
  }

  /// The second request, with the call under that id.
  static ModelRequest second(String id) {
    return request(
        SYSTEM,
        FIRST,
        new Message.Assistant("", List.of(CALL.withId(id))),
        new Message.Result(id, "check_table", "T4 is free", true));
  }

  /// What is written down while that model is asked these.
  static String recorded(ChatModel model, ModelRequest... requests) {
    StringWriter out = new StringWriter();
    try (RecordingModel recording = new RecordingModel(model, out)) {
      for (ModelRequest request : requests) {
        ask(recording, request);
      }
    }
    return out.toString();
  }

  private static void ask(ChatModel model, ModelRequest request) {
    try {
      model.reply(request, new ReplyStream(fragment -> {}));
    } catch (ModelException e) {
      // Written down as what it is.
    }
  }

  static RecordedModel replay(String text) {
    try {
      return RecordedModel.read(new StringReader(text), "talk.jsonl");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
