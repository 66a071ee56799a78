package dev.switchboard.openai;

import dev.switchboard.json.Json;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.provider.ProviderContract;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

class ResponsesModelTest implements ProviderContract {
  @Override
  public ChatModel model(ModelOptions options) {
    return OpenAiModel.of(
        "gpt-6-luna",
        new ModelOptions(
            options.key(),
            options.baseUrl(),
            options.temperature(),
            options.maxTokens(),
            options.reasoning(),
            options.more(),
            options.caching(),
            options.structured(),
            options.thinksFirst(),
            options.idleLimit(),
            options.totalLimit(),
            options.headers(),
            ModelOptions.Api.RESPONSES,
            options.window()));
  }

  @Override
  public String whole() {
    return response("Hello there");
  }

  private static String response(String words) {
    return """
    {"object":"response","status":"completed","error":null,"output":[%s],
     "usage":{"input_tokens":9,"output_tokens":2}}\
    """
        .formatted(message(words));
  }

  private static String message(String words) {
    return """
    {"type":"message","id":"msg_1","status":"completed","role":"assistant",
     "content":[{"type":"output_text","text":"%s","annotations":[]}]}\
    """
        .formatted(words);
  }

  @Override
  public List<String> events() {
    return spoken();
  }

  @Override
  public List<String> spoken(String... words) {
    List<String> middle = List.of(words).stream().map(this::wordsEvent).toList();
    String all = "Hello" + String.join("", words) + " there";
    return Stream.of(
            Stream.of(
                "{\"type\":\"response.created\",\"response\":{\"error\":null}}",
                wordsEvent("Hello")),
            middle.stream(),
            Stream.of(
                wordsEvent(" there"),
                "{\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":"
                    + message(all)
                    + "}",
                "{\"type\":\"response.completed\",\"response\":" + response(all) + "}"))
        .flatMap(events -> events)
        .map(event -> event.replace("\n", ""))
        .toList();
  }

  @Override
  public boolean alwaysStreams() {
    return true;
  }

  @Override
  public String wordsEvent(String words) {
    return "{\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\""
        + words
        + "\"}";
  }

  @Override
  public String errorEvent() {
    return "{\"type\":\"error\",\"code\":\"server_error\",\"message\":\"Too many people\"}";
  }

  @Override
  public JsonNode arguments(JsonNode request) {
    return Json.text(request.at("/input/1/arguments").asString("not there")).tree();
  }

  @Override
  public String keyHeader() {
    return "Authorization";
  }
}
