package dev.switchboard.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// What a client of the AI SDK demands of the streams of one message, and how its parts come out.
final class UiGrammar {
  private final Map<String, String> states = new HashMap<>(); // of calls
  private final Set<String> step = new HashSet<>(); // the calls of the latest step
  private final Set<String> texts = new HashSet<>();
  private String text;
  private boolean stepOpen;

  void check(String stream) {
    List<JsonNode> chunks = Sse.data(stream);
    assertThat(chunks.getFirst().path("type").asString()).isEqualTo("start");
    assertThat(chunks.getLast()).isNull();
    assertThat(chunks.get(chunks.size() - 2).path("type").asString()).isEqualTo("finish");
    for (JsonNode chunk : chunks.subList(1, chunks.size() - 1)) {
      check(chunk.path("type").asString(), chunk);
    }
    assertThat(stepOpen).isFalse();
  }

  private void check(String type, JsonNode chunk) {
    String id = chunk.path("id").asString("");
    String call = chunk.path("toolCallId").asString("");
    switch (type) {
      case "start-step" -> {
        assertThat(stepOpen).isFalse();
        stepOpen = true;
        step.clear();
      }
      case "finish-step" -> {
        assertThat(stepOpen).isTrue();
        assertThat(text).isNull();
        stepOpen = false;
      }
      case "text-start" -> {
        assertThat(stepOpen).isTrue();
        assertThat(text).isNull();
        assertThat(texts.add(id)).isTrue();
        text = id;
      }
      case "text-delta" -> assertThat(id).isEqualTo(text);
      case "text-end" -> {
        assertThat(id).isEqualTo(text);
        text = null;
      }
      case "tool-input-available" -> {
        assertThat(chunk.path("providerExecuted").asBoolean()).isTrue();
        assertThat(step.add(call)).isEqualTo(!states.containsKey(call));
        states.put(call, "input");
      }
      case "tool-approval-request" -> {
        assertThat(states).containsKey(call);
        assertThat(chunk.path("approvalId").asString()).isEqualTo("t1:" + call);
        states.put(call, "asked");
      }
      case "tool-output-available", "tool-output-error", "tool-output-denied" ->
          assertThat(states.put(call, "output")).isIn("input", "asked");
      case "data-progress" ->
          assertThat(states.get(chunk.path("data").path("toolCallId").asString()))
              .isNotEqualTo("output");
      case "error", "abort" -> assertThat(stepOpen).isFalse();
      case "finish" -> {
        assertThat(stepOpen).isFalse();
        assertThat(chunk.path("finishReason").asString())
            .isIn("stop", "length", "content-filter", "tool-calls", "error");
      }
      default -> {
        assertThat(type).startsWith("data-");
        assertThat(chunk.path("data").isObject()).isTrue();
      }
    }
  }
}
