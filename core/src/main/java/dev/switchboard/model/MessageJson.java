package dev.switchboard.model;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Messages and replies to and from JSON, for files and stores. What is absent or empty is not
/// written.
public final class MessageJson {
  private MessageJson() {}

  /// The message as an object with its `role`.
  public static ObjectNode write(Message message) {
    ObjectNode out = Codec.object();
    return switch (message) {
      case Message.System(String text) -> out.put("role", "system").put("text", text);
      case Message.User(String text) -> out.put("role", "user").put("text", text);
      case Message.Notice(String text) -> out.put("role", "notice").put("text", text);
      case Message.Assistant(String text, List<RequestedCall> calls) ->
          words(out.put("role", "assistant"), text, calls);
      case Message.Result(String id, String tool, String text, boolean success) -> {
        out.put("role", "result").put("call", id).put("tool", tool).put("text", text);
        yield success ? out : out.put("success", false);
      }
    };
  }

  /// The message that was written so.
  ///
  /// @throws IllegalArgumentException when it is none
  public static Message read(JsonNode in) {
    String text = in.path("text").asString("");
    String role = in.path("role").asString("");
    return switch (role) {
      case "system" -> new Message.System(text);
      case "user" -> new Message.User(text);
      case "notice" -> new Message.Notice(text);
      case "assistant" -> new Message.Assistant(text, calls(in.path("calls")));
      case "result" ->
          new Message.Result(
              in.path("call").asString(""),
              in.path("tool").asString(""),
              text,
              in.path("success").asBoolean(true));
      default -> throw new IllegalArgumentException("'" + role + "' is not a role of a message");
    };
  }

  /// The reply as an object.
  public static ObjectNode write(ModelReply reply) {
    ObjectNode out = words(Codec.object(), reply.text(), reply.calls());
    out.put("finish", reply.finish().word());
    if (!reply.usage().equals(Usage.NONE)) {
      out.set("usage", write(reply.usage()));
    }
    return out;
  }

  /// The reply that was written so.
  public static ModelReply readReply(JsonNode in) {
    return new ModelReply(
        in.path("text").asString(""),
        calls(in.path("calls")),
        FinishReason.of(in.path("finish").asString("")),
        readUsage(in.path("usage")));
  }

  /// The cost as an object.
  public static ObjectNode write(Usage usage) {
    return Codec.object().put("input", usage.input()).put("output", usage.output());
  }

  /// The cost that was written so.
  public static Usage readUsage(JsonNode in) {
    return new Usage(in.path("input").asLong(0), in.path("output").asLong(0));
  }

  private static ObjectNode words(ObjectNode out, String text, List<RequestedCall> calls) {
    if (!text.isEmpty()) {
      out.put("text", text);
    }
    if (!calls.isEmpty()) {
      ArrayNode list = out.putArray("calls");
      calls.forEach(call -> list.add(write(call)));
    }
    return out;
  }

  /// The arguments are kept as the text that they are, which in a reply may be no JSON.
  private static ObjectNode write(RequestedCall call) {
    ObjectNode out = Codec.object().put("id", call.id()).put("name", call.name());
    out.put("arguments", call.arguments().text());
    Json extra = call.extra();
    if (extra != null) {
      out.set("extra", extra.tree());
    }
    return out;
  }

  private static List<RequestedCall> calls(JsonNode in) {
    List<RequestedCall> calls = new ArrayList<>();
    for (JsonNode call : in) {
      JsonNode extra = call.path("extra");
      calls.add(
          new RequestedCall(
              call.path("id").asString(""),
              call.path("name").asString(""),
              Json.text(call.path("arguments").asString("")),
              extra.isMissingNode() ? null : Json.of(extra)));
    }
    return calls;
  }
}
