package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.server.TestServer.Answer;
import dev.switchboard.testing.ManualTime;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Chat completions whose model fails.
class FailedCompletionsTest {
  private static String body(boolean stream, String conversation) {
    String kept =
        conversation.isEmpty() ? "" : "\"metadata\":{\"conversation\":\"" + conversation + "\"},";
    return "{\"model\":\"Desk\",\"stream\":%s,%s\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}"
        .formatted(stream, kept);
  }

  @ParameterizedTest
  @CsvSource({
    "RATE_LIMITED,429",
    "UNAVAILABLE,503",
    "TIMEOUT,504",
    "BROKEN,502",
    "REFUSED,502",
    "DENIED,502",
    "EMPTY,502",
    "FILTERED,502"
  })
  void haveAStatusWhileNothingWasSent(Kind kind, int status) {
    // The pauses before it is asked again take no time.
    try (TestServer server =
        new TestServer(agent -> agent.store(new InProcessConversations()).time(new ManualTime()))) {
      for (boolean stream : new boolean[] {true, false}) {
        for (String conversation : new String[] {"", "k" + stream}) {
          for (int i = 0; i < 4; i++) {
            server.model.fails(kind);
          }
          Answer answer = server.zoe.post("/v1/chat/completions", body(stream, conversation));
          assertThat(answer.status()).as(answer.text()).isEqualTo(status);
          assertThat(answer.type()).startsWith("application/json");
          assertThat(answer.json().path("error").path("message").asString()).isNotEmpty();
          assertThat(answer.json().path("error").path("type").asString()).isEqualTo("server_error");
        }
      }
    }
  }

  @Test
  void haveAStatusAfterCallsToo() {
    try (TestServer server =
        new TestServer(Tool.dynamic("look_up", "{\"type\":\"object\"}").handler(any -> "x"))) {
      server.model.calls("look_up", "{}").fails(Kind.DENIED);
      assertThat(server.zoe.post("/v1/chat/completions", body(true, "")).status()).isEqualTo(502);
    }
  }

  @Test
  void breakOffOnceSomeOfTheAnswerWasSent() {
    try (TestServer server =
        new TestServer(Tool.dynamic("look_up", "{\"type\":\"object\"}").handler(any -> "x"))) {
      server.model.says("Let me look.").and().calls("look_up", "{}").fails(Kind.DENIED);
      assertThatThrownBy(() -> server.zoe.post("/v1/chat/completions", body(true, "")))
          .hasCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void breakOffTooWhenTheTurnIsInterrupted() {
    try (TestServer server =
        new TestServer(Tool.dynamic("look_up", "{\"type\":\"object\"}").handler(any -> "x"))) {
      server.model.says("Let me look.").and().calls("look_up", "{}");
      server.model.answers(request -> {
        throw new AssertionError("a fault of the model's class");
      });
      assertThatThrownBy(() -> server.zoe.post("/v1/chat/completions", body(true, "")))
          .hasCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void beginWithTheFirstTextWhereAllIsWell() {
    try (TestServer server = new TestServer()) {
      server.model.says("Hello.");
      Answer answer = server.zoe.post("/v1/chat/completions", body(true, "k"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.text()).contains("\"content\":\"Hello.\"").endsWith("data: [DONE]\n\n");
    }
  }
}
