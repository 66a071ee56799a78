package dev.switchboard.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The least MCP server, of the revision 2025-11-25, for both clients to be measured against: as a
/// program of lines, or over HTTP.
final class McpEcho {
  private static final Pattern ID = Pattern.compile("\"id\":(\\d+|\"[^\"]*\")");
  private static final Pattern METHOD = Pattern.compile("\"method\":\"([^\"]+)\"");
  private static final String INITIALIZED =
      "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
          + "\"serverInfo\":{\"name\":\"echo\",\"version\":\"1\"}}";
  private static final String TOOLS =
      "{\"tools\":[{\"name\":\"order_status\",\"description\":\"Tells how it is with an order.\","
          + "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"order_id\":{\"type\":\"string\"},"
          + "\"verbose\":{\"type\":\"boolean\"}},\"required\":[\"order_id\"]},"
          + "\"annotations\":{\"readOnlyHint\":true}}]}";
  private static final String RESULT =
      "{\"content\":[{\"type\":\"text\",\"text\":\"A-1042 was shipped on Monday.\"}],"
          + "\"isError\":false}";

  private McpEcho() {}

  /// Answers lines.
  public static void main(String[] args) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String answer = answer(line);
      if (answer != null) {
        out.print(answer + "\n");
        out.flush();
      }
    }
  }

  /// One over HTTP, in this process.
  static HttpServer http() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/mcp", McpEcho::handle);
    server.start();
    return server;
  }

  private static void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("POST")) {
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String answer = answer(body);
      if (answer == null) {
        exchange.sendResponseHeaders(202, -1);
        return;
      }
      byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static @Nullable String answer(String message) {
    Matcher id = ID.matcher(message);
    Matcher method = METHOD.matcher(message);
    if (!id.find() || !method.find()) {
      return null;
    }
    String result =
        switch (method.group(1)) {
          case "initialize" -> INITIALIZED;
          case "tools/list" -> TOOLS;
          case "tools/call" -> RESULT;
          default -> "";
        };
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,%s}"
        .formatted(
            id.group(1),
            result.isEmpty()
                ? "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}"
                : "\"result\":" + result);
  }
}
