package dev.switchboard.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.testing.RecordingListener;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.webhook.GuardedHttp;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Servers that hang up after an answer without saying so: their next call must not fail for it.
class ClosingServersTest {
  private ServerSocket server;

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  private void serve(String version) {
    Thread.startVirtualThread(() -> {
      while (!server.isClosed()) {
        try (Socket socket = server.accept()) {
          answer(socket, version);
        } catch (IOException e) {
          // The test is over, or the client went away.
        }
      }
    });
  }

  private static void answer(Socket socket, String version) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder request = new StringBuilder();
    while (!request.toString().endsWith("}")) {
      int next = in.read();
      if (next < 0) {
        return;
      }
      request.append((char) next);
    }
    String answer = version + " 200 OK\r\nContent-Length: 2\r\n\r\n{}";
    socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
  }

  private void callThrice(RetryPolicy retry) {
    String host = "127.0.0.1:" + server.getLocalPort();
    Tool tool =
        Tool.dynamic("pay")
            .network(GuardedHttp.allowing(host))
            .retry(retry)
            .webhook(URI.create("http://" + host + "/"));
    RecordingListener listener = new RecordingListener();
    ToolExecutor executor = ToolExecutor.builder().tools(tool).listener(listener).build();
    for (int i = 0; i < 3; i++) {
      assertThat(executor.execute(ToolCall.of("pay", "{}")).text()).isEqualTo("{}");
    }
    assertThat(listener.retries()).isEmpty();
  }

  @Test
  void callsAnOldServerThriceAtTheFirstAttempt() {
    serve("HTTP/1.0");
    callThrice(RetryPolicy.DEFAULT);
  }

  @Test
  void callsAServerThatHangsUpThriceWhereTheToolIsTriedOnce() {
    serve("HTTP/1.1");
    callThrice(RetryPolicy.NONE);
  }
}
