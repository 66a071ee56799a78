package dev.switchboard.bench;

import com.sun.net.httpserver.HttpServer;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.mcp.McpTools;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.webhook.GuardedHttp;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Calls a second of an MCP server's tool, beside the protocol's own SDK against the same server:
/// ours with the check of arguments, rules, breaker and time limits, the SDK's bare. And the heap
/// that a connected server takes.
final class McpCalls {
  private static final String ARGUMENTS = "{\"order_id\":\"A-1042\",\"verbose\":true}";
  private static final Map<String, Object> VALUES = Map.of("order_id", "A-1042", "verbose", true);
  private static final long ROUND = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int CONNECTED = 20;

  private McpCalls() {}

  static List<Row> run(boolean quick) throws Exception {
    List<Row> rows = new ArrayList<>();
    Duel duel = new Duel("%,.0f", 4, quick ? 5 : 21);
    HttpServer server = McpEcho.http();
    String service = "127.0.0.1:" + server.getAddress().getPort();
    try {
      rows.addAll(calls(duel, "stdio", McpCalls::oursOverStdio, () -> client(sdkOverStdio())));
      rows.addAll(
          calls(duel, "HTTP", () -> oursOverHttp(service), () -> client(sdkOverHttp(service))));
      rows.add(memory("HTTP", () -> oursOverHttp(service), () -> client(sdkOverHttp(service))));
    } finally {
      server.stop(0);
    }
    return rows;
  }

  private static List<Row> calls(
      Duel duel, String transport, Supplier<ToolExecutor> ours, Supplier<McpSyncClient> peer)
      throws Exception {
    List<Row> rows = new ArrayList<>();
    try (ToolExecutor executor = ours.get();
        McpSyncClient client = peer.get()) {
      for (int concurrency : List.of(1, 16)) {
        rows.add(
            duel.row(
                "MCP calls a second over %s, %d at once / the SDK"
                    .formatted(transport, concurrency),
                () -> perSecond(concurrency, () -> call(executor)),
                () -> perSecond(concurrency, () -> call(client))));
      }
    }
    return rows;
  }

  private static ToolExecutor oursOverStdio() {
    List<String> words = echo();
    return ours(McpTools.program("echo", words.toArray(String[]::new)));
  }

  private static ToolExecutor oursOverHttp(String service) {
    return ours(
        McpTools.at("echo", URI.create("http://" + service + "/mcp"))
            .network(GuardedHttp.allowing(service)));
  }

  private static ToolExecutor ours(McpTools server) {
    return ToolExecutor.builder().tools(server.withoutPrefix().required()).build();
  }

  private static McpClientTransport sdkOverStdio() {
    List<String> words = echo();
    ServerParameters program =
        ServerParameters.builder(words.getFirst()).args(words.subList(1, words.size())).build();
    return new StdioClientTransport(program, McpJsonDefaults.getMapper());
  }

  private static McpClientTransport sdkOverHttp(String service) {
    return HttpClientStreamableHttpTransport.builder("http://" + service).endpoint("/mcp").build();
  }

  private static McpSyncClient client(McpClientTransport transport) {
    McpSyncClient client = McpClient.sync(transport).build();
    client.initialize();
    return client;
  }

  private static List<String> echo() {
    return List.of(
        System.getProperty("java.home") + "/bin/java",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        McpEcho.class.getName());
  }

  private static boolean call(ToolExecutor executor) {
    return executor.execute(ToolCall.of("order_status", ARGUMENTS)).success();
  }

  /// Several at once fail now and then, when two threads send at the same moment; such do not
  /// count.
  private static boolean call(McpSyncClient client) {
    try {
      CallToolRequest request = new CallToolRequest("order_status", VALUES);
      return !Boolean.TRUE.equals(client.callTool(request).isError());
    } catch (RuntimeException e) {
      return false;
    }
  }

  private static double perSecond(int concurrency, BooleanSupplier once)
      throws InterruptedException {
    LongAdder done = new LongAdder();
    long start = System.nanoTime();
    long end = start + ROUND;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < concurrency; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                while (System.nanoTime() - end < 0) {
                  done.add(once.getAsBoolean() ? 1 : 0);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return done.sum() * 1e9 / (System.nanoTime() - start);
  }

  private static Row memory(
      String transport, Supplier<ToolExecutor> ours, Supplier<McpSyncClient> peer)
      throws Exception {
    double left = heapOfOne(ours);
    double right = heapOfOne(peer);
    return Row.of(
        "KB of heap for a server connected over %s / the SDK".formatted(transport),
        "%,.0f",
        left / 1024,
        right / 1024,
        left / right);
  }

  private static <T extends AutoCloseable> double heapOfOne(Supplier<T> connect) throws Exception {
    connect.get().close(); // what all share
    List<T> open = new ArrayList<>();
    long before = PhoneServer.heap();
    for (int i = 0; i < CONNECTED; i++) {
      open.add(connect.get());
    }
    long after = PhoneServer.heap();
    for (T one : open) {
      one.close();
    }
    return (after - before) / (double) CONNECTED;
  }
}
