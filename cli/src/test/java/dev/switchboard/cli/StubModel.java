package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A model's service on loopback that speaks as OpenAI does and streams the replies it was told.
final class StubModel implements AutoCloseable {
  private final StubWebhook service = StubWebhook.start();

  /// Adds a reply of words, streamed in these fragments.
  StubModel says(String... fragments) {
    return streams(Stream.of(fragments).map(text -> choice(Map.of("content", text), null)), "stop");
  }

  /// Adds a reply of these calls side by side.
  ///
  /// @param calls name, arguments, name, arguments and so on
  StubModel calls(String... calls) {
    return streams(
        IntStream.range(0, calls.length / 2)
            .mapToObj(i -> choice(call(i, calls[2 * i], calls[2 * i + 1]), null)),
        "tool_calls");
  }

  private static Map<String, Object> call(int index, String name, String arguments) {
    Map<String, Object> function = Map.of("name", name, "arguments", arguments);
    return Map.of(
        "tool_calls",
        List.of(
            Map.of("index", index, "id", "p" + index, "type", "function", "function", function)));
  }

  StubModel answers(StubAnswer answer) {
    service.answer(answer);
    return this;
  }

  private StubModel streams(Stream<Json> chunks, String finish) {
    String body =
        Stream.concat(
                Stream.concat(chunks, Stream.of(choice(Map.of(), finish))).map(Json::text),
                Stream.of("[DONE]"))
            .map(chunk -> "data: " + chunk + "\n\n")
            .collect(Collectors.joining());
    return answers(StubAnswer.of(200, body).contentType("text/event-stream"));
  }

  private static Json choice(Map<String, Object> delta, String finish) {
    var choice = Codec.object().put("index", 0);
    choice.set("delta", Json.of(delta).tree());
    choice.put("finish_reason", finish);
    return Json.of(
        Map.of("id", "r", "object", "chat.completion.chunk", "choices", List.of(choice)));
  }

  /// What the model was asked, in order.
  List<StubRequest> requests() {
    return service.requests();
  }

  /// The line of an agent's file that names it.
  String toml() {
    return "model = { provider = \"openai\", name = \"stub\", base_url = \"%s\" }"
        .formatted(service.url("/v1"));
  }

  @Override
  public void close() {
    service.close();
  }
}
