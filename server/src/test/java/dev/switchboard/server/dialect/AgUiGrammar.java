package dev.switchboard.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// What a client of AG-UI demands of the streams of one conversation.
final class AgUiGrammar {
  private final Set<String> messages = new HashSet<>();
  private final Set<String> calls = new HashSet<>();
  private final Set<String> results = new HashSet<>();

  void check(String stream) {
    String message = null;
    String call = null;
    boolean over = false;
    boolean begun = false;
    for (JsonNode event : Sse.data(stream)) {
      String type = event.path("type").asString();
      assertThat(over).as("%s after the end", type).isFalse();
      assertThat(begun).as("%s first", type).isEqualTo(!type.equals("RUN_STARTED"));
      begun = true;
      String messageId = event.path("messageId").asString("");
      String callId = event.path("toolCallId").asString("");
      if (call != null) {
        assertThat(type).isIn("TOOL_CALL_ARGS", "TOOL_CALL_END");
        assertThat(callId).isEqualTo(call);
      }
      switch (type) {
        case "TEXT_MESSAGE_START" -> {
          assertThat(message).isNull();
          assertThat(messages.add(messageId)).isTrue();
          message = messageId;
        }
        case "TEXT_MESSAGE_CONTENT" -> {
          assertThat(messageId).isEqualTo(message);
          assertThat(event.path("delta").asString()).isNotEmpty();
        }
        case "TEXT_MESSAGE_END" -> {
          assertThat(messageId).isEqualTo(message);
          message = null;
        }
        case "TOOL_CALL_START" -> {
          assertThat(message).isNull();
          assertThat(calls.add(callId)).as(callId).isTrue();
          assertThat(event.path("toolCallName").asString()).isNotEmpty();
          if (event.has("parentMessageId")) {
            assertThat(messages).contains(event.path("parentMessageId").asString());
          }
          call = callId;
        }
        case "TOOL_CALL_END" -> call = null;
        case "TOOL_CALL_RESULT" -> {
          assertThat(message).isNull();
          assertThat(calls).contains(callId);
          assertThat(results.add(callId)).as(callId).isTrue();
        }
        case "ACTIVITY_SNAPSHOT" ->
            assertThat(results).doesNotContain(event.path("content").path("toolCallId").asString());
        case "CUSTOM" -> assertThat(event.path("value").isObject()).isTrue();
        case "RUN_FINISHED" -> {
          assertThat(message).isNull();
          finished(event);
          over = true;
        }
        case "RUN_ERROR" -> {
          assertThat(event.path("message").asString()).isNotEmpty();
          over = true;
        }
        default -> assertThat(type).isIn("RUN_STARTED", "TOOL_CALL_ARGS", "MESSAGES_SNAPSHOT");
      }
    }
    assertThat(over).isTrue();
  }

  private void finished(JsonNode event) {
    switch (event.path("outcome").path("type").asString()) {
      case "success" -> assertThat(results).containsAll(calls);
      case "cancelled" -> assertThat(event.has("result")).isFalse();
      default -> {
        assertThat(event.path("outcome").path("interrupts")).isNotEmpty();
        for (JsonNode interrupt : event.path("outcome").path("interrupts")) {
          String call = interrupt.path("toolCallId").asString();
          assertThat(interrupt.path("id").asString()).isEqualTo("t1:" + call);
          assertThat(calls).contains(call);
          assertThat(results).doesNotContain(call);
        }
      }
    }
  }
}
