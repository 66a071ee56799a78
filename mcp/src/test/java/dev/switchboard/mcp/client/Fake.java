package dev.switchboard.mcp.client;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutorBuilder;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Codec;
import dev.switchboard.mcp.McpTools;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/// An executor with the tools of a [FakeServer], and calls of them.
final class Fake implements AutoCloseable {
  static final String SESSIONS = "2025-11-25";
  static final String STATELESS = "2026-07-28";

  /// A call has minutes, so that the speed of the machine does not matter.
  static final ToolDefaults UNHURRIED = ToolDefaults.NONE.withTimeout(Duration.ofMinutes(5));

  final ToolExecutor executor;
  final List<Event> events = new CopyOnWriteArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();

  private Fake(ToolExecutor executor) {
    this.executor = executor;
  }

  /// The tools of a server that is started with these arguments; they have minutes.
  static McpTools server(String... arguments) {
    return McpTools.program("fake", words(arguments).toArray(String[]::new))
        .timeout(Duration.ofMinutes(5))
        .policy("brief", Fake::brief);
  }

  private static Tool.DynamicBuilder brief(
      Tool.DynamicBuilder tool, ToolHandler handler, ToolMode usual) {
    return tool.mode(usual).timeout(Duration.ofMillis(150)).breaker(BreakerOptions.OFF);
  }

  /// The words that start a server with these arguments.
  static List<String> words(String... arguments) {
    List<String> words = new ArrayList<>();
    words.add(ProcessHandle.current().info().command().orElseThrow());
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx48m"));
    words.addAll(List.of("-cp", classes(), FakeServer.class.getName()));
    words.addAll(List.of(arguments));
    return words;
  }

  private static String classes() {
    try {
      return Path.of(FakeServer.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static Fake of(ToolRegistry.Source tools) {
    return of(tools, builder -> builder);
  }

  static Fake of(ToolRegistry.Source tools, UnaryOperator<ToolExecutorBuilder> more) {
    return new Fake(more.apply(ToolExecutor.builder().defaults(UNHURRIED).tools(tools)).build());
  }

  /// The one result of a call of `run` with that script.
  ToolResult run(String script) {
    return call("fake__run", Codec.object().put("script", script).toString());
  }

  /// The one result of a call of `brief` with that script, which has 150 ms.
  ToolResult brief(String script) {
    return call("fake__brief", Codec.object().put("script", script).toString());
  }

  /// A call of `run` beside others.
  CompletableFuture<ToolResult> running(String script) {
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> result.complete(run(script)));
    return result;
  }

  ToolResult call(String tool, String arguments) {
    return call(tool, arguments, "conversation-" + calls.incrementAndGet());
  }

  ToolResult call(String tool, String arguments, String conversation) {
    ToolSession session = ToolSession.builder(conversation).events(events::add).build();
    return executor.execute(
        ToolCall.of("call_" + calls.incrementAndGet(), tool, arguments), session);
  }

  /// The lines that the server has read so far with that text in them.
  List<String> seen(String part) {
    return String.valueOf(run("seen " + part).text())
        .lines()
        .filter(line -> !line.contains("seen "))
        .toList();
  }

  @Override
  public void close() {
    executor.close();
  }
}
