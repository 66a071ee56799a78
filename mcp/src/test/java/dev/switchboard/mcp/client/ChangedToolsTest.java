package dev.switchboard.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.mcp.McpTools;
import dev.switchboard.mcp.client.McpSettings.McpWay;
import dev.switchboard.mcp.oauth.Credentials;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tools that a server adds, changes and takes away while an agent has them.
class ChangedToolsTest {
  private static final String CHANGED =
      "\nout {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\nsay done";
  private static final String FIRST =
      "tools"
          + " {\"name\":\"more\",\"description\":\"First.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"script\":{\"type\":\"string\"}}},\"annotations\":{\"destructiveHint\":false}}"
          + CHANGED;
  private static final String SECOND =
      "tools"
          + " {\"name\":\"more\",\"description\":\"Second.\",\"inputSchema\":{\"type\":\"object\",\"required\":[\"x\"],\"properties\":{\"x\":{\"type\":\"integer\"}}},\"annotations\":{\"destructiveHint\":false}}"
          + CHANGED;
  private static final String NONE = "tools " + CHANGED;

  @TempDir Path folder;
  private Fake fake;

  @AfterEach
  void close() {
    fake.close();
  }

  private List<String> names() {
    return fake.executor.definitions().stream().map(ToolDefinition::name).toList();
  }

  private String description() {
    return fake.executor.definitions().stream()
        .filter(tool -> tool.name().equals("fake__more"))
        .map(ToolDefinition::description)
        .findFirst()
        .orElse("");
  }

  @Test
  void comeChangeAndGo() {
    fake = Fake.of(Fake.server(Fake.SESSIONS));
    assertThat(names()).containsExactly("fake__run", "fake__brief");

    fake.run(FIRST);
    await().until(() -> description().equals("First."));
    assertThat(fake.call("fake__more", "{\"script\":\"say more\"}").text()).isEqualTo("more");
    CompletableFuture<ToolResult> running = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() ->
            running.complete(fake.call("fake__more", "{\"script\":\"await end\\nsay finished\"}")));
    await().until(() -> !fake.seen("finished").isEmpty());

    fake.run(SECOND);
    await().until(() -> description().equals("Second."));
    assertThat(fake.call("fake__more", "{}").code()).isEqualTo(ResultCode.INVALID_ARGUMENTS);

    fake.run(NONE);
    await().until(() -> names().size() == 2);
    ToolResult gone = fake.call("fake__more", "{\"x\":1}");
    assertThat(gone.code()).isEqualTo(ResultCode.UNKNOWN_TOOL);
    assertThat(gone.error()).contains("the MCP server 'fake' no longer has it");

    fake.run("release end\nsay x");
    assertThat(running.join().text()).isEqualTo("finished");
  }

  @Test
  void areLoggedInOneLineHoweverManyChange() {
    List<String> logged = new CopyOnWriteArrayList<>();
    Handler log = handler(logged::add);
    Logger logger = Logger.getLogger("dev.switchboard.mcp");
    String many =
        IntStream.range(0, 8)
            .mapToObj(i ->
                "{\"name\":\"many%d\",\"description\":\"D\",\"inputSchema\":{\"type\":\"object\"}}"
                    .formatted(i))
            .collect(Collectors.joining(","));
    fake = Fake.of(Fake.server(Fake.SESSIONS));
    fake.run("tools " + many + CHANGED);
    await().until(() -> names().size() == 10);
    logger.addHandler(log);
    try {
      fake.run(NONE);
      await().until(() -> names().size() == 2);
      await().until(() -> !logged.isEmpty());
    } finally {
      logger.removeHandler(log);
    }

    assertThat(logged)
        .singleElement()
        .asString()
        .startsWith("MCP server 'fake': tool 'fake__many0' is gone; ")
        .endsWith("; and 3 more, which `switchboard mcp list` shows");
  }

  private static Handler handler(Consumer<String> lines) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        // Those of tests beside this one are not counted.
        if (line.getLevel().intValue() >= Level.WARNING.intValue()
            && line.getMessage().contains("many")) {
          lines.accept(line.getMessage());
        }
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void withTheNameOfAnotherAreRefusedAloneLater() {
    Tool own = Tool.dynamic("more", "{\"type\":\"object\"}").handler(any -> "own");
    fake = Fake.of(Fake.server(Fake.SESSIONS).withoutPrefix(), builder -> builder.tools(own));
    fake.call(
        "run",
        "{\"script\":" + dev.switchboard.json.Json.of(FIRST.replace("First", "Evil")).text() + "}");
    String other = FIRST.replace("\"more\"", "\"other\"");
    assertThat(fake.call("more", "{}").text()).isEqualTo("own");
    fake.call("run", "{\"script\":" + dev.switchboard.json.Json.of(other).text() + "}");
    await().until(() -> names().contains("other"));
    assertThat(fake.call("more", "{}").text()).isEqualTo("own");
    assertThat(fake.executor.sources().getFirst().ready()).isTrue();
  }

  private static String listed(String... tools) {
    return "tools "
        + Stream.of(tools)
            .map(name ->
                "{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"destructiveHint\":false}}"
                    .formatted(name))
            .collect(Collectors.joining(","))
        + CHANGED;
  }

  private List<String> called(String tool) {
    return fake.seen("\"name\":\"" + tool + "\"").stream()
        .filter(line -> line.contains("tools/call"))
        .toList();
  }

  @Test
  void keepTheirNameWhenAnotherToolWithItArrives() {
    fake = Fake.of(Fake.server(Fake.SESSIONS));
    fake.run(listed("dots.in.name"));
    await().until(() -> names().contains("fake__dots_in_name"));
    fake.run(listed("dots_in_name", "dots.in.name"));
    await().until(() -> names().size() == 4);

    fake.call("fake__dots_in_name", "{\"script\":\"say x\"}");
    assertThat(called("dots.in.name")).isNotEmpty();
    assertThat(called("dots_in_name")).isEmpty();

    fake.run(listed("dots_in_name"));
    await().until(() -> names().size() == 3);
    assertThat(fake.call("fake__dots_in_name", "{\"script\":\"say x\"}").code())
        .isEqualTo(ResultCode.UNKNOWN_TOOL);
    String other = names().getLast();
    assertThat(other).startsWith("fake__dots_in_name_");
    fake.call(other, "{\"script\":\"say x\"}");
    assertThat(called("dots_in_name")).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dots.in.name dots_in_name", "dots_in_name dots.in.name"})
  void areRestrictedByEachNameThatRulesMayHaveForThem(String order) {
    fake =
        Fake.of(
            Fake.server(Fake.SESSIONS),
            builder ->
                builder.rules(
                    ToolRule.forbidden("fake__dots_in_name"),
                    ToolRule.forbidden("fake__own/name"),
                    ToolRule.maxCalls("fake__own_name", 9)));
    List<String> tools = new ArrayList<>();
    for (String tool : (order + " own/name").split(" ")) {
      tools.add(tool);
      fake.run(listed(tools.toArray(String[]::new)));
      await().until(() -> fake.executor.tools().list().size() == 2 + tools.size());
    }
    List<String> all =
        fake.executor.tools().list().stream()
            .map(Tool::name)
            .filter(name -> name.contains("name"))
            .toList();
    assertThat(all).hasSize(3);
    for (String name : all) {
      assertThat(fake.call(name, "{\"script\":\"say x\"}").code())
          .as(name)
          .isEqualTo(ResultCode.RULE_VIOLATION);
    }
  }

  private RemoteServers pinned(Path lock) {
    McpSettings settings =
        new McpSettings(
            "fake",
            true,
            new McpWay.Program(Fake.words(Fake.SESSIONS), null, Map.of()),
            List.of(),
            List.of(),
            Map.of(),
            Duration.ofMinutes(5),
            1 << 20,
            true,
            lock,
            false,
            null,
            List.of());
    return new RemoteServers(List.of(settings), any -> Nothing.INSTANCE, Time.SYSTEM);
  }

  private enum Nothing implements Credentials {
    INSTANCE;

    @Override
    public String header(java.util.function.Consumer<Runnable> onCancel) {
      return null;
    }

    @Override
    public boolean renew(
        String sent, int status, String challenge, java.util.function.Consumer<Runnable> onCancel) {
      return false;
    }
  }

  @Test
  void arePinnedUntilTheyAreAccepted() throws IOException {
    Path lock = folder.resolve("agent.mcp.lock");
    RemoteServers servers = pinned(lock);
    fake = Fake.of(servers);
    assertThat(names()).hasSize(2);
    assertThat(Files.readString(lock)).contains("\"run\"");

    fake.run(FIRST);

    await().until(() -> fake.seen("\"tools/list\"").size() == 2);
    assertThat(names()).hasSize(2);

    // The server has sent its list; the client may not have read it yet.
    await()
        .until(() -> {
          servers.accept();
          return description().equals("First.");
        });

    fake.run(SECOND);
    await().until(() -> !names().contains("fake__more"));
    ToolResult held = fake.call("fake__more", "{\"x\":1}");
    assertThat(held.code()).isEqualTo(ResultCode.UNKNOWN_TOOL);
    servers.accept();
    assertThat(description()).isEqualTo("Second.");
    assertThat(Files.readString(lock)).contains("\"more\"");
  }

  @Test
  void withALockThatCannotBeReadAreNotTaken() throws IOException {
    Path lock = Files.writeString(folder.resolve("agent.mcp.lock"), "not JSON");
    fake = Fake.of(McpTools.program("fake", "/no/such/program"));
    RemoteServers servers = pinned(lock);
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> ToolExecutor.builder().tools(servers).build())
        .hasMessageContaining("agent.mcp.lock is not JSON");
    assertThat(fake.executor.execute(ToolCall.of("x", "{}")).success()).isFalse();
  }
}
