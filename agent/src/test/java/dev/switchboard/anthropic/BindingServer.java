package dev.switchboard.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A server of Anthropic's API that binds what its model thinks to all before it, as newer models
/// do: a request is refused if that has changed.
final class BindingServer implements AutoCloseable {
  private final StubWebhook server = StubWebhook.start();
  private final Function<JsonNode, List<ObjectNode>> model;
  private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
  private final List<String> faults = new CopyOnWriteArrayList<>();
  private final AtomicInteger refusals = new AtomicInteger();

  /// @param model makes the blocks of a reply of a request; the server signs its thinking
  BindingServer(Function<JsonNode, List<ObjectNode>> model) {
    this.model = model;
    server.answer(this::answer);
  }

  static ObjectNode text(String words) {
    return Codec.object().put("type", "text").put("text", words);
  }

  static ObjectNode thinking(String thoughts) {
    return Codec.object().put("type", "thinking").put("thinking", thoughts);
  }

  static ObjectNode hidden() {
    return Codec.object().put("type", "redacted_thinking");
  }

  static ObjectNode call(String id, String tool) {
    ObjectNode call = Codec.object().put("type", "tool_use").put("id", id).put("name", tool);
    call.putObject("input");
    return call;
  }

  /// The model of that name.
  AnthropicModel model(String name) {
    return AnthropicModel.of(name, ModelOptions.builder().baseUrl(server.url()).build());
  }

  List<JsonNode> requests() {
    return requests;
  }

  /// How many requests it has refused.
  int refusals() {
    return refusals.get();
  }

  /// How many blocks of thinking a request has.
  static int thoughts(JsonNode request) {
    return (int)
        request.path("messages").findValuesAsString("type").stream()
            .filter(type -> type.endsWith("thinking"))
            .count();
  }

  private StubAnswer answer(StubRequest request) {
    JsonNode body = request.json().tree();
    requests.add(body);
    check(body);
    List<String> before = new ArrayList<>(List.of(head(body)));
    for (int i = 0; i < body.path("messages").size(); i++) {
      for (JsonNode block : body.path("messages").get(i).path("content")) {
        if (block.path("type").asString().endsWith("thinking")
            && !signature(block).equals(sign(before))) {
          refusals.incrementAndGet();
          return refused(i);
        }
        before.add(plain(block));
      }
    }
    return events(body, before);
  }

  private static StubAnswer refused(int index) {
    String message =
        "messages.%d: Invalid `signature` in `thinking` block. The block is bound to a different conversation."
            .formatted(index);
    ObjectNode body = Codec.object().put("type", "error");
    body.putObject("error").put("type", "invalid_request_error").put("message", message);
    return StubAnswer.of(400, body.toString());
  }

  /// What the API refuses besides; none of it may be sent.
  private void check(JsonNode body) {
    JsonNode messages = body.path("messages");
    fault(!body.path("stream").asBoolean(false), "does not stream");
    String choice = body.at("/tool_choice/type").asString("auto");
    fault(!List.of("auto", "none").contains(choice), "forces a call");
    for (int i = 0; i < messages.size(); i++) {
      String role = messages.get(i).path("role").asString();
      fault(!role.equals(i % 2 == 0 ? "user" : "assistant"), "roles do not alternate");
      List<String> used = ids(messages.get(i), "tool_use", "id");
      List<String> results =
          i + 1 == messages.size()
              ? List.of()
              : ids(messages.get(i + 1), "tool_result", "tool_use_id");
      fault(!results.equals(used), "results are not those of the calls");
    }
  }

  private void fault(boolean is, String what) {
    if (is) {
      faults.add("request " + requests.size() + " " + what);
    }
  }

  private static List<String> ids(JsonNode message, String type, String member) {
    return message
        .path("content")
        .valueStream()
        .filter(block -> block.path("type").asString().equals(type))
        .map(block -> block.path(member).asString())
        .toList();
  }

  private StubAnswer events(JsonNode body, List<String> before) {
    StringBuilder out = new StringBuilder();
    event(out, "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":9}}}");
    boolean called = false;
    int index = 0;
    for (ObjectNode block : model.apply(body)) {
      String type = block.path("type").asString();
      called |= type.equals("tool_use");
      if (type.endsWith("thinking")) {
        block.put(type.equals("thinking") ? "signature" : "data", sign(before));
      }
      before.add(plain(block));
      ObjectNode start = Codec.object().put("type", "content_block_start").put("index", index);
      event(out, start.set("content_block", block).toString());
      event(out, "{\"type\":\"content_block_stop\",\"index\":" + index + "}");
      index++;
    }
    event(
        out,
        "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"%s\"}}"
            .formatted(called ? "tool_use" : "end_turn"));
    event(out, "{\"type\":\"message_stop\"}");
    return StubAnswer.of(200, out.toString()).contentType("text/event-stream");
  }

  private static void event(StringBuilder out, String json) {
    out.append("data: ").append(json).append("\n\n");
  }

  private static String head(JsonNode body) {
    return body.path("model").asString() + plain(body.path("system")) + plain(body.path("tools"));
  }

  private static String signature(JsonNode block) {
    boolean shown = block.path("type").asString().equals("thinking");
    return block.path(shown ? "signature" : "data").asString("");
  }

  private static String sign(List<String> before) {
    return Json.of(String.join("\n", before)).digest();
  }

  /// A part without the marks of the cache, which may move.
  private static String plain(JsonNode part) {
    JsonNode copy = part.deepCopy();
    for (JsonNode marked : copy.findParents("cache_control")) {
      ((ObjectNode) marked).remove("cache_control");
    }
    return copy.toString();
  }

  @Override
  public void close() {
    server.close();
    assertThat(faults).isEmpty();
  }
}
