package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.mount.Role;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Chat completions without a conversation, when a principal is forgotten.
class ForgottenCompletionsTest {
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final Tool slow =
      Tool.dynamic("slow", "{\"type\":\"object\"}")
          .mode(ToolMode.READ)
          .handler(arguments -> {
            begun.countDown();
            end.await();
            return "done";
          });

  private static CompletableFuture<TestServer.Answer> complete(
      TestServer.Client client, boolean stream) {
    String body =
        "{\"model\":\"Desk\",\"stream\":%s,\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}"
            .formatted(stream);
    return CompletableFuture.supplyAsync(
        () -> client.post("/v1/chat/completions", body), Thread::startVirtualThread);
  }

  private void script(TestServer server) {
    server.model.calls("slow", "{}").calls("get_note", "{\"n\":1}").says("Done.");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void thoseOfThePrincipalEndBeforeItIsForgotten(boolean stream) throws Exception {
    try (TestServer server = new TestServer(slow, TestServer.tool("get_note", ran))) {
      script(server);
      CompletableFuture<TestServer.Answer> answer = complete(server.zoe, stream);
      begun.await();

      assertThat(server.operator.delete("/v1/conversations?principal=zoe").status()).isEqualTo(200);
      end.countDown();
      TestServer.Answer unused = answer.join();
      assertThat(ran).isEmpty();
      assertThat(server.model.requests()).hasSize(1);
    }
  }

  @Test
  void thoseOfOthersGoOn() throws Exception {
    try (TestServer server = new TestServer(slow, TestServer.tool("get_note", ran))) {
      script(server);
      CompletableFuture<TestServer.Answer> answer =
          complete(server.client("ben", Role.CHAT), false);
      begun.await();

      assertThat(server.zoe.delete("/v1/conversations?principal=zoe").status()).isEqualTo(200);
      end.countDown();
      assertThat(answer.join().text()).contains("Done.");
      assertThat(ran).hasSize(1);
    }
  }
}
