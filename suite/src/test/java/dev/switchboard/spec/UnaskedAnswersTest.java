package dev.switchboard.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.testing.RecordingListener;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server that says more than it was asked: what it says unasked answers no other call.
class UnaskedAnswersTest {
  private final RecordingListener listener = new RecordingListener();

  private ToolExecutor executor(RawServer server) {
    RetryPolicy atOnce = RetryPolicy.DEFAULT.withPauses(Duration.ZERO, Duration.ZERO);
    Tool tool =
        Tool.dynamic("get_x")
            .network(GuardedHttp.allowing(server.hostAndPort()))
            .retry(atOnce)
            .webhook(server.url());
    return ToolExecutor.builder().tools(tool).listener(listener).build();
  }

  private static ToolResult call(ToolExecutor executor) {
    return executor.execute(ToolCall.of("get_x", "{}"));
  }

  @Test
  void dropsASecondAnswerThatCameTogetherWithTheFirst() throws IOException {
    RawServer.Script script =
        (number, connection) ->
            connection.write(
                number == 1
                    ? RawServer.ok("{\"n\":1}") + RawServer.ok("{\"n\":\"unasked\"}")
                    : RawServer.ok("{\"n\":" + number + "}"));
    try (RawServer server = new RawServer(script)) {
      ToolExecutor executor = executor(server);
      assertThat(call(executor).text()).isEqualTo("{\"n\":1}");
      assertThat(call(executor).text()).isIn("{\"n\":2}", "{\"n\":3}");
      assertThat(call(executor).text()).isIn("{\"n\":3}", "{\"n\":4}");
      assertThat(server.connections).hasValue(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"whole", "piece"})
  void usesNoConnectionOnWhichSomethingCameSince(String kind) throws Exception {
    String unasked = RawServer.ok("{\"n\":\"unasked\"}");
    Semaphore answered = new Semaphore(0);
    Semaphore read = new Semaphore(0);
    RawServer.Script script =
        (number, connection) -> {
          connection.write(RawServer.ok("{\"n\":" + number + "}"));
          read.acquire();
          connection.write(kind.equals("whole") ? unasked : unasked.substring(0, 20));
          answered.release();
        };
    try (RawServer server = new RawServer(script)) {
      ToolExecutor executor = executor(server);
      for (int n = 1; n <= 5; n++) {
        assertThat(call(executor).text()).isEqualTo("{\"n\":" + n + "}");
        read.release();
        answered.acquire();
      }
      assertThat(server.connections).hasValue(5);
      assertThat(listener.calls()).allMatch(record -> record.attempts() == 1);
    }
  }

  @Test
  void keepsAConnectionOnWhichNothingElseCame() throws IOException {
    RawServer.Script script =
        (number, connection) -> connection.write(RawServer.ok("{\"n\":" + number + "}"));
    try (RawServer server = new RawServer(script)) {
      ToolExecutor executor = executor(server);
      for (int n = 1; n <= 5; n++) {
        assertThat(call(executor).text()).isEqualTo("{\"n\":" + n + "}");
      }
      assertThat(server.connections).hasValue(1);
      assertThat(listener.calls()).allMatch(record -> record.attempts() == 1);
    }
  }
}
