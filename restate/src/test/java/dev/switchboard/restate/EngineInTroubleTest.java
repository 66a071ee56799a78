package dev.switchboard.restate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.switchboard.agent.Agent;
import dev.switchboard.consent.Answer;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.harness.Ports;
import dev.switchboard.testing.ScriptedModel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is said of an engine that is not there, or not the right one.
class EngineInTroubleTest {
  private static Agent agent() {
    return Agent.builder("test")
        .model(ScriptedModel.answering(request -> null))
        .store(new InProcessConversations())
        .build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "host:8080",
        "restate://",
        "restate:///x",
        "ftp://host",
        "restate://h:1/x",
        "restate://u@h",
        "restate://h?admin=x",
        "restate://h:123456",
        "restate://a b"
      })
  void anAddressIsCheckedWhenItIsRead(String address) {
    assertThatThrownBy(() -> RestateEngine.at(address))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("address");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "restate://host",
        "restate://h:1?admin=2",
        "https://h/?admin=https://a:1",
        "http://[::1]:8080"
      })
  void anAddressNamesTheIngress(String address) {
    try (RestateEngine engine = RestateEngine.at(address)) {
      assertThat(engine.toString()).startsWith("http");
    }
  }

  @Test
  void oneThatIsNotThereIsNamed() {
    try (Agent agent = agent();
        RestateEngine engine = RestateEngine.at("restate://127.0.0.1?admin=" + Ports.CLOSED)) {
      assertThatThrownBy(() -> RestateWorker.builder(agent).port(0).start(engine))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "The engine at http://127.0.0.1:%d/ does not answer: the connection was refused",
              Ports.CLOSED);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "{\"version\":\"1.4.9\"},is Restate 1.4.9: 1.5 or a later 1 is needed.",
    "{\"version\":\"2.0.0\"},is Restate 2.0.0: 1.5 or a later 1 is needed.",
    "hello,is Restate of an unknown version: 1.5 or a later 1 is needed."
  })
  void oneOfAnotherVersionIsNotUsed(String answer, String fault) throws IOException {
    HttpServer server = server(answer);
    try (Agent agent = agent();
        RestateEngine engine =
            RestateEngine.at("restate://127.0.0.1?admin=" + server.getAddress().getPort())) {
      assertThatThrownBy(() -> RestateWorker.builder(agent).port(0).start(engine))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(fault);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() throws IOException {
    HttpServer server = server("{\"version\":\"1.7.12\"}");
    int port = server.getAddress().getPort();
    try (Agent agent = agent();
        RestateEngine engine = RestateEngine.at("restate://127.0.0.1?admin=" + port)) {
      assertThatThrownBy(() -> RestateWorker.builder(agent).port(port).start(engine))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("The worker cannot listen on port " + port + " of 127.0.0.1: ");
    } finally {
      server.stop(0);
    }
  }

  private static HttpServer server(String answer) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  void anAgentNeedsAStoreAndNoOneWhoIsWaitedFor() {
    try (Agent agent = Agent.builder("test").build()) {
      assertThatThrownBy(() -> RestateWorker.builder(agent))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("agent 'test' has no store: its conversations are read there");
    }
    try (Agent agent =
        Agent.builder("test")
            .store(new InProcessConversations())
            .approver(request -> Answer.approveOnce())
            .build()) {
      assertThatThrownBy(() -> RestateWorker.builder(agent))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has a blocking approver");
    }
  }

  @Test
  void aServiceHasANameThatTheEngineTakes() {
    assertThat(ConversationObject.service("order-bot.v2")).isEqualTo("switchboard.order-bot.v2");
    assertThat(ConversationObject.service("a b_ü")).isEqualTo("switchboard.a_20_b_5f__fc_");
  }
}
