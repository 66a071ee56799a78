package dev.switchboard.cli.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.switchboard.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/// The services of the demonstration's workers, on loopback: a payment service that charges once
/// for each idempotency key and answers slowly, and a model that calls it.
final class Payments implements AutoCloseable {
  private static final long SLOW = Duration.ofSeconds(1).toNanos();

  private final HttpServer server;
  private final Listener listener;
  private final Map<String, String> receipts = new LinkedHashMap<>(); // by key; guarded by this

  /// Receives each payment request.
  interface Listener {
    /// A payment was requested.
    ///
    /// @param worker that requested it
    /// @param receipt of the payment
    /// @param again whether it was charged before
    void asked(String worker, String key, String receipt, boolean again);
  }

  /// @throws IOException when no server can be started on loopback
  Payments(Listener listener) throws IOException {
    this.listener = listener;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/deposits", this::charge);
    server.createContext("/v1/chat/completions", Payments::reply);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /// The number of payments that were charged.
  synchronized int charged() {
    return receipts.size();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void charge(HttpExchange exchange) throws IOException {
    try (exchange) {
      String key = header(exchange, "Idempotency-Key");
      JsonNode arguments = body(exchange).path("arguments");
      String receipt;
      boolean again;
      synchronized (this) {
        again = receipts.containsKey(key);
        receipt = receipts.computeIfAbsent(key, unused -> "P" + (receipts.size() + 1));
      }
      listener.asked(header(exchange, "X-Worker"), key, receipt, again);
      if (!again) {
        LockSupport.parkNanos(SLOW);
      }
      Map<String, Object> paid =
          Map.of("receipt", receipt, "euros", arguments.path("euros").asInt());
      send(exchange, "application/json", Json.of(paid).text());
    }
  }

  /// A tool call, or after its result a text.
  private static void reply(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonNode messages = body(exchange).path("messages");
      JsonNode last = messages.path(messages.size() - 1);
      boolean called = last.path("role").asString("").equals("tool");
      Map<String, Object> chunk =
          Map.of(
              "index", 0,
              "delta", called ? words(last) : call(),
              "finish_reason", called ? "stop" : "tool_calls");
      String text =
          "data: " + Json.of(Map.of("choices", List.of(chunk))).text() + "\n\ndata: [DONE]\n\n";
      send(exchange, "text/event-stream", text);
    }
  }

  private static Map<String, Object> call() {
    Map<String, String> function =
        Map.of("name", "take_deposit", "arguments", "{\"guest\":\"Ada\",\"euros\":40}");
    return Map.of(
        "tool_calls",
        List.of(Map.of("index", 0, "id", "call_1", "type", "function", "function", function)));
  }

  private static Map<String, Object> words(JsonNode result) {
    String said = result.path("content").asString("");
    String receipt =
        Json.text(said.lines().findFirst().orElse("{}")).tree().path("receipt").asString("none");
    return Map.of("content", "The deposit of 40 euros is paid, Ada: receipt " + receipt + ".");
  }

  private static String header(HttpExchange exchange, String name) {
    return String.valueOf(exchange.getRequestHeaders().getFirst(name));
  }

  private static JsonNode body(HttpExchange exchange) throws IOException {
    return Json.text(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8))
        .tree();
  }

  private static void send(HttpExchange exchange, String type, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
