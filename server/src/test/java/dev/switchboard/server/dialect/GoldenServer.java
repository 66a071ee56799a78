package dev.switchboard.server.dialect;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.Executors;

/// Answers with golden files, where a request is such as the dialect's reader takes.
final class GoldenServer implements AutoCloseable {
  private final HttpServer server;

  GoldenServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String name = exchange.getRequestURI().getPath().substring(1);
      String told = refusal(name, body);
      int status = 400;
      if (told == null) {
        told = Files.readString(Golden.file(name));
        status = told.startsWith("{\"error\"") ? 502 : 200;
      }
      String type = told.startsWith("{") ? "application/json" : "text/event-stream";
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.getResponseHeaders().set("x-vercel-ai-ui-message-stream", "v1");
      byte[] bytes = told.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static String refusal(String name, String body) {
    if (body.isEmpty()) {
      return null;
    }
    try {
      switch (name.substring(0, name.indexOf('/'))) {
        case "agui" -> AgUiInput.read(body);
        case "aisdk" -> UiInput.read(body);
        default -> ChatInput.read(body, false);
      }
      return null;
    } catch (BadRequestException e) {
      return e.sentence();
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
