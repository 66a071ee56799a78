package dev.switchboard.load;

import dev.switchboard.json.Json;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// A model's service on loopback that speaks as OpenAI does.
public final class ModelServer {
  private ModelServer() {}

  /// One that answers each request as told by its messages.
  public static StubWebhook start(Function<List<JsonNode>, StubAnswer> answer) {
    return StubWebhook.start().answer((StubRequest request) -> answer.apply(messages(request)));
  }

  private static List<JsonNode> messages(StubRequest request) {
    return request.json().tree().path("messages").valueStream().toList();
  }

  /// A reply of words.
  public static StubAnswer says(String text) {
    return events(chunk(Map.of("content", text), null), chunk(Map.of(), "stop"));
  }

  /// A reply that is one call.
  public static StubAnswer calls(String tool, Map<String, ?> arguments) {
    Map<String, String> function = Map.of("name", tool, "arguments", Json.of(arguments).text());
    Map<String, ?> call = Map.of("index", 0, "id", "p0", "type", "function", "function", function);
    return events(chunk(Map.of("tool_calls", List.of(call)), null), chunk(Map.of(), "tool_calls"));
  }

  /// A stream of these events.
  public static StubAnswer events(String... chunks) {
    StringBuilder body = new StringBuilder();
    for (String chunk : chunks) {
      body.append("data: ").append(chunk).append("\n\n");
    }
    return StubAnswer.of(200, body + "data: [DONE]\n\n").contentType("text/event-stream");
  }

  private static String chunk(Map<String, ?> delta, String finish) {
    return "{\"id\":\"r\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}"
        .formatted(Json.of(delta).text(), finish == null ? "null" : '"' + finish + '"');
  }
}
