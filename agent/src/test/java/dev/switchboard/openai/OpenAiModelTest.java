package dev.switchboard.openai;

import dev.switchboard.json.Json;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.provider.ProviderContract;
import java.util.List;
import tools.jackson.databind.JsonNode;

class OpenAiModelTest implements ProviderContract {
  @Override
  public ChatModel model(ModelOptions options) {
    return OpenAiModel.of("gpt-4.1-mini", options);
  }

  @Override
  public String whole() {
    return """
    {"choices":[{"index":0,"message":{"role":"assistant","content":"Hello there"},
     "finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2}}\
    """;
  }

  @Override
  public List<String> events() {
    return List.of(
        "{\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}",
        "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello\"}}]}",
        "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\" there\"},\"finish_reason\":null}]}",
        "{\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2}}",
        "[DONE]");
  }

  @Override
  public String wordsEvent(String words) {
    return "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + words + "\"}}]}";
  }

  @Override
  public String errorEvent() {
    return "{\"error\":{\"message\":\"Too many people\",\"type\":\"server_error\",\"code\":null}}";
  }

  @Override
  public JsonNode arguments(JsonNode request) {
    return Json.text(
            request.at("/messages/1/tool_calls/0/function/arguments").asString("not there"))
        .tree();
  }

  @Override
  public String keyHeader() {
    return "Authorization";
  }
}
