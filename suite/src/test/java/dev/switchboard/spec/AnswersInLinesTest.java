package dev.switchboard.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Webhooks that answer with lines: progress as it comes, and the answer last.
class AnswersInLinesTest {
  private final ManualTime time = new ManualTime();
  private final List<String> hints = new CopyOnWriteArrayList<>();
  private final ToolSession session =
      ToolSession.builder("conversation")
          .events(event -> {
            if (event instanceof Event.LoaderHint hint) {
              hints.add(hint.hint());
            }
          })
          .build();

  private ToolResult answered(String body) {
    return answered(body, "application/x-ndjson");
  }

  private ToolResult answered(String body, String type) {
    try (StubWebhook server =
        StubWebhook.start().answer(StubAnswer.of(200, body).contentType(type))) {
      return call(tool(server.hostAndPort()).responseLimit(200).webhook(URI.create(server.url())));
    }
  }

  private static Tool.DynamicBuilder tool(String host) {
    return Tool.dynamic("get_x").network(GuardedHttp.allowing(host));
  }

  private ToolResult call(Tool tool) {
    return ToolExecutor.builder()
        .tools(tool)
        .time(time)
        .build()
        .execute(ToolCall.of("c1", "get_x", "{}"), session);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      value = {
        "{\"progress\":\"half\"}~{\"result\":{\"n\":1}}~ | {\"n\":1}",
        "{\"progress\":\"half\"}~{\"result\":\"done\"} | \"done\"",
        "{\"progress\":\"half\"}~{\"n\":2} | {\"n\":2}",
        "{\"progress\":\"half\",\"percent\":50}~~[1, 2]~~ | [1, 2]",
        "{\"result\":1,\"of\":2} | {\"result\":1,\"of\":2}",
        "{\"seen\":1}~{\"progress\":5}~null | null",
        "{\"result\": {\"b\":1e2, \"c\":1.50 } } | {\"b\":1e2, \"c\":1.50 }",
        "{\"result\":\"r1\"}~{\"progress\":\"late\"} | \"r1\"",
        "{\"result\":\"r1\"}~{\"result\":\"r2\"}~oops | \"r1\"",
      })
  void takesTheLastLineAsTheAnswer(String lines, String text) {
    ToolResult result = answered(lines.replace("~", "\r\n"));
    assertThat(result.text()).isEqualTo(text);
    assertThat(result.success()).isTrue();
    assertThat(hints).isEqualTo(lines.contains("half") ? List.of("half") : List.of());
  }

  @Test
  void readsAResultInTheLastLine() {
    ToolResult result =
        answered(
            "{\"result\":{\"success\":false,\"needsFollowup\":true,\"error\":\"No table.\"}}\n");
    assertThat(result.success()).isFalse();
    assertThat(result.error()).isEqualTo("No table.");
  }

  @Test
  void takesNothingForAnEmptyAnswer() {
    assertThat(answered("\n\n").text()).isEqualTo("{}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"progress\":\"half\"}\n", "{\"progress\":\"half\"}\noops\n"})
  void failsOnceWithoutAnAnswerAtTheEnd(String body) {
    ToolResult result = answered(body);
    assertThat(result.code()).isEqualTo(ResultCode.FAILED);
    assertThat(result.error()).startsWith("Tool failed after 1 attempt: HTTP 200: the answer ");
  }

  @Test
  void boundsAllLinesTogether() {
    assertThat(answered("{\"progress\":\"half\"}\n".repeat(20)).code())
        .isEqualTo(ResultCode.RESPONSE_TOO_LARGE);
    assertThat(answered("x".repeat(1000)).code()).isEqualTo(ResultCode.RESPONSE_TOO_LARGE);
  }

  @Test
  void readsLinesOnlyWhereTheServerSaysSo() {
    ToolResult result = answered("{\"progress\":\"half\"}", "application/json");
    assertThat(result.text()).isEqualTo("{\"progress\":\"half\"}");
    assertThat(hints).isEmpty();
  }

  /// A call whose server writes a line whenever the test hands it one.
  private final class Streamed implements AutoCloseable {
    final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    final CompletableFuture<ToolResult> result = new CompletableFuture<>();
    final RawServer server;

    Streamed() {
      server =
          new RawServer((number, connection) -> {
            String type = "application/x-ndjson; charset=utf-8";
            connection.write("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n");
            connection.write("Connection: close\r\n\r\n");
            for (String line = lines.take(); !line.isEmpty(); line = lines.take()) {
              connection.write(line + "\n");
            }
            connection.socket().close();
          });
      Tool tool =
          tool(server.hostAndPort())
              .timeout(Duration.ofSeconds(10))
              .deadline(Duration.ofSeconds(25))
              .webhook(server.url());
      Thread.startVirtualThread(() -> result.complete(call(tool)));
    }

    void hear(String progress) {
      lines.add("{\"progress\":\"" + progress + "\"}");
      Awaitility.await().until(() -> hints.contains(progress));
    }

    ToolResult settled() {
      return result.orTimeout(5, TimeUnit.MINUTES).join();
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  @Test
  void showsProgressAsItComesAndCountsTheTimeoutBetweenLines() throws IOException {
    try (Streamed streamed = new Streamed()) {
      streamed.hear("one");
      time.advance(Duration.ofSeconds(8));
      streamed.hear("two");
      time.advance(Duration.ofSeconds(8));
      assertThat(streamed.result).isNotDone();
      streamed.lines.add("{\"result\":\"done\"}");
      streamed.lines.add("");
      assertThat(streamed.settled().text()).isEqualTo("\"done\"");
    }
  }

  @Test
  void timesOutWhenNoLineComes() throws IOException {
    try (Streamed streamed = new Streamed()) {
      streamed.hear("one");
      time.advance(Duration.ofSeconds(10));
      Awaitility.await().until(() -> !time.pauses().isEmpty());
      time.advance(Duration.ofSeconds(15));
      assertThat(streamed.settled().code()).isEqualTo(ResultCode.TIMEOUT);
    }
  }

  @Test
  void keepsToTheDeadlineWhateverComes() throws IOException {
    try (Streamed streamed = new Streamed()) {
      for (int n = 0; n < 3; n++) {
        streamed.hear("step " + n);
        time.advance(Duration.ofSeconds(8));
      }
      streamed.hear("step 3");
      assertThat(streamed.result).isNotDone();
      time.advance(Duration.ofSeconds(1));
      assertThat(streamed.settled().code()).isEqualTo(ResultCode.TIMEOUT);
    }
  }
}
