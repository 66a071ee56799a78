package dev.switchboard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// The README's table of the plain way and ours.
class PlainWaysTest {
  record Party(int size) {}

  @Test
  void jacksonAsItComesBindsWhatIsRefusedHere() {
    JsonMapper plain = new JsonMapper();
    AtomicInteger runs = new AtomicInteger();
    ToolExecutor executor =
        ToolExecutor.of(Tool.typed("seat", Party.class).handler(party -> runs.incrementAndGet()));

    for (String arguments :
        new String[] {"{\"size\":\"4\"}", "{\"size\":4.7}", "{\"size\":4,\"x\":1}"}) {
      assertThat(plain.readValue(arguments, Party.class)).isEqualTo(new Party(4));
      assertThat(executor.execute(ToolCall.of("seat", arguments)).code())
          .isEqualTo(ResultCode.INVALID_ARGUMENTS);
    }
    assertThat(runs).hasValue(0);
  }

  @Test
  void okHttpAsItComesGoesWhereIsRefusedHere() throws IOException {
    try (StubWebhook inner = StubWebhook.start();
        StubWebhook redirecting = StubWebhook.start()) {
      redirecting.answer(StubAnswer.status(302).header("Location", inner.url()));
      Request request = new Request.Builder().url(redirecting.url()).build();
      try (Response response = new OkHttpClient().newCall(request).execute()) {
        assertThat(response.code()).isEqualTo(200);
      }
      assertThat(inner.requests()).hasSize(1);

      Tool tool =
          Tool.dynamic("delete_it")
              .network(GuardedHttp.allowing(redirecting.hostAndPort()))
              .webhook(URI.create(redirecting.url()));
      ToolResult result = ToolExecutor.of(tool).execute(ToolCall.of("delete_it", "{}"));
      assertThat(result.error()).isEqualTo("Tool failed after 1 attempt: HTTP 302");
      assertThat(inner.requests()).hasSize(1);
    }
  }

  @Test
  void aHandlerThatThrowsHasItsResult() {
    Tool tool =
        Tool.dynamic("delete_it")
            .handler(arguments -> {
              throw new StackOverflowError();
            });

    assertThat(ToolExecutor.of(tool).execute(ToolCall.of("delete_it", "{}")).error())
        .isEqualTo("Tool failed after 1 attempt: internal error (StackOverflowError)");
  }
}
