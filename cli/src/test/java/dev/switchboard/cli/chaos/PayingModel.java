package dev.switchboard.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import tools.jackson.databind.JsonNode;

/// A model on loopback that pays what it is told, such as "Pay 3 of c1.": one bill after the other.
final class PayingModel implements AutoCloseable {
  private final StubWebhook service = StubWebhook.start().answer(this::reply);

  /// What it has read that no model may read.
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();

  String toml() {
    return "{ provider = \"openai\", name = \"stub\", base_url = \"%s\" }"
        .formatted(service.url("/v1"));
  }

  private StubAnswer reply(StubRequest request) {
    List<JsonNode> messages = request.json().tree().path("messages").valueStream().toList();
    check(messages);
    int paid = 0;
    for (JsonNode message : messages.reversed()) {
      if (message.path("role").asString().equals("user")) {
        return next(message.path("content").asString().split("[ .]"), paid);
      }
      paid += message.path("role").asString().equals("tool") ? 1 : 0;
    }
    return StubAnswer.status(400);
  }

  private static StubAnswer next(String[] words, int paid) {
    if (!words[0].equals("Pay") || Integer.parseInt(words[1]) == paid) {
      return streamed("{\"content\":\"Done.\"}", "stop");
    }
    String arguments = Json.of(Map.of("bill", words[3] + "/" + (paid + 1))).text();
    return streamed(
        "{\"tool_calls\":[{\"index\":0,\"id\":\"p\",\"type\":\"function\",\"function\":{\"name\":\"pay\",\"arguments\":%s}}]}"
            .formatted(Json.of(arguments).text()),
        "tool_calls");
  }

  private static StubAnswer streamed(String delta, String finish) {
    String chunk =
        "{\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":\"%s\"}]}"
            .formatted(delta, finish);
    return StubAnswer.of(200, "data: " + chunk + "\n\ndata: [DONE]\n\n")
        .contentType("text/event-stream");
  }

  /// Each call has one result.
  private void check(List<JsonNode> messages) {
    List<String> calls = new ArrayList<>();
    List<String> results = new ArrayList<>();
    for (JsonNode message : messages) {
      message.path("tool_calls").forEach(call -> calls.add(call.path("id").asString()));
      if (message.path("role").asString().equals("tool")) {
        results.add(message.path("tool_call_id").asString());
      }
    }
    Set<String> once = new HashSet<>(calls);
    if (once.size() != calls.size() || !results.equals(calls)) {
      faults.add("calls " + calls + ", results " + results);
    }
  }

  /// Checks that each call that it has read of had one result.
  void checkRead() {
    assertThat(faults).isEmpty();
  }

  @Override
  public void close() {
    service.close();
  }
}
