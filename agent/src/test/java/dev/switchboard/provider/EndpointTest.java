package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.harness.Ports;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.openai.OpenAiModel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Servers that no stub plays.
class EndpointTest {
  private static final String ANSWER = "{\"choices\":[{\"message\":{\"content\":\"Hi\"}}]}";

  @Test
  void keepsNoConnectionToAServerOfHttp10() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> serve(server));
      OpenAiModel model = model(server.getLocalPort(), Duration.ofMinutes(5));
      for (int i = 0; i < 3; i++) {
        assertThat(model.reply(ProviderContract.HELLO, ReplyStream.unheard()).text())
            .isEqualTo("Hi");
      }
    }
  }

  private static void serve(ServerSocket server) {
    while (true) {
      try (Socket socket = server.accept()) {
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        int length = 0;
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
          length =
              line.startsWith("Content-Length: ") ? Integer.parseInt(line.substring(16)) : length;
        }
        in.skip(length);
        String head = "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\nContent-Length: ";
        socket
            .getOutputStream()
            .write((head + ANSWER.length() + "\r\n\r\n" + ANSWER).getBytes(StandardCharsets.UTF_8));
      } catch (IOException closed) {
        return;
      }
    }
  }

  @Test
  void isUnavailableWhereNoOneTakesTheConnection() throws IOException {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      while (connects(server, waiting)) {}

      assertThatThrownBy(() ->
              model(server.getLocalPort(), Duration.ofMillis(100))
                  .reply(ProviderContract.HELLO, ReplyStream.unheard()))
          .isInstanceOfSatisfying(
              ModelException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
          .hasMessageContaining("cannot be reached");
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  private static boolean connects(ServerSocket server, List<Socket> waiting) throws IOException {
    Socket socket = new Socket();
    waiting.add(socket);
    try {
      socket.connect(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), 1_000);
      return true;
    } catch (IOException full) {
      return false;
    }
  }

  private static OpenAiModel model(int port, Duration idle) {
    String url = "http://127.0.0.1:" + port + "/v1";
    return OpenAiModel.of("m", ModelOptions.builder().baseUrl(url).idleLimit(idle).build());
  }

  @Test
  void saysInWordsThatAConnectionWasRefused() {
    OpenAiModel model = model(Ports.CLOSED, Duration.ofMinutes(1));

    assertThatThrownBy(() -> model.reply(ProviderContract.HELLO, ReplyStream.unheard()))
        .isInstanceOf(ModelException.class)
        .hasMessageEndingWith("cannot be reached: the connection was refused.");
  }
}
