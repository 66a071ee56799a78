package dev.switchboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Turn;
import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.DataSources;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.time.Time;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What handlers made in Java get where a file says the rest.
class SwitchboardTest {
  private static final String AGENT =
      """
      [agent]
      name = "Waiter"
      tools = ["note", "block"]

      [agent.memory.guest]
      content = "Ada"
      """;

  private final Tool note =
      Tool.dynamic("note")
          .handler((arguments, context) -> {
            Memory memory = context.services().memory();
            return context.agentId() + ": " + memory.append("guest", ", T4").value();
          });

  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("agent.toml"), text);
  }

  private static String run(ToolExecutor executor, String tool, String arguments) {
    return String.valueOf(executor.execute(new ToolCall("c1", tool, Json.text(arguments))).text());
  }

  @Test
  void loadedToolsRememberInTheStorageOfTheFile() throws IOException {
    Path file = file(AGENT + "[storage]\nurl = \"sqlite:waiter.db\"\n");

    assertThat(run(Switchboard.load(file, note), "note", "{}")).isEqualTo("Waiter: Ada, T4");

    AgentFile read = AgentFile.read(file, List.of(note));
    try (Storage storage = Objects.requireNonNull(Switchboard.storage(file, read))) {
      Memory memory = Memory.of(storage.memory(), "Waiter", Time.SYSTEM);
      assertThat(memory.block("guest").block().value()).isEqualTo("Ada, T4");
    }
  }

  @Test
  void loadedToolsOfAFileWithoutStorageRememberInTheProcess() throws IOException {
    ToolExecutor executor = Switchboard.load(file(AGENT), note);

    assertThat(run(executor, "note", "{}")).isEqualTo("Waiter: Ada, T4");
    assertThat(run(executor, "block", "{\"operation\":\"info\",\"label\":\"guest\"}"))
        .contains("\"length\":7");
  }

  @Test
  void anExecutorTakesTheMemoryThatItIsGiven() throws IOException {
    InProcessMemory memory = new InProcessMemory();
    AgentFile read = AgentFile.read(file(AGENT), List.of(note));

    assertThat(run(Switchboard.executor(read, memory).build(), "note", "{}")).contains("Ada, T4");
    assertThat(Objects.requireNonNull(memory.block("Waiter", "guest")).value())
        .isEqualTo("Ada, T4");
  }

  @Test
  void anAgentOfAFileHasWhatItsBuilderIsGiven() throws IOException {
    Tool look =
        Tool.dynamic("note")
            .handler((arguments, context) ->
                context.services().sources().get("table", String.class)
                    + (context.services().model() == null ? " without" : " with")
                    + " a model");
    ScriptedModel model = new ScriptedModel().calls("note", "{}").says("Done.");
    InProcessMemory memory = new InProcessMemory();
    Memory.begin(memory, List.of(Block.of("Waiter", "guest", Block.Kind.CORE).withValue("Zoe")));
    Agent agent =
        Switchboard.agent(AgentFile.read(file(AGENT), List.of(look)))
            .model(model)
            .memory(memory)
            .sources(DataSources.of("table", "T4"))
            .build();

    assertThat(agent.conversation("c").say("Hi")).isEqualTo(new Turn.Reply("Done."));

    assertThat(model.lastRequest().messages().getLast().toString()).contains("T4 with a model");
    assertThat(agent.memory().block("guest").block().value()).isEqualTo("Zoe");
  }

  @Test
  void aNameOfAFileIsNotTakenForThatOfAnAgent() {
    assertThatThrownBy(() -> Switchboard.agent("agent.toml"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'agent.toml' is the name of a file: Switchboard.agent(Path.of(\"agent.toml\")) reads"
                + " it");
    assertThat(Switchboard.agent("agent")).isNotNull();
  }

  @Test
  void theKeyOfAModelMayStandInTheFileBesideTheAgents() throws IOException {
    String toml =
        "[agent]\nmodel = { provider = \"openai\", name = \"x\", api_key_env = \"OF_DOT_ENV\" }\n";
    assertThatThrownBy(() -> Switchboard.agent(file(toml)).close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("set the environment variable OF_DOT_ENV");

    Files.writeString(folder.resolve(".env"), "OF_DOT_ENV=sk-1\n");

    try (Agent agent = Switchboard.agent(file(toml))) {
      assertThat(agent).isNotNull();
    }
  }

  @Test
  void toolsThatTheFileNamesAndThatAreNotGivenAreAFault() throws IOException {
    Path file = file(AGENT);

    assertThatThrownBy(() -> Switchboard.load(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("agent.tools names 'note', which no tool has");
  }

  @Test
  void theDefaultsOfTheFileHoldForToolsMadeInJava() throws IOException {
    Path file =
        file(
            """
            [agent]
            defaults = { retry = { max_retries = 1 }, breaker = { cooldown = "60s" } }
            """);
    Tool plain = Tool.dynamic("get_x").handler(any -> "x");
    Tool own = Tool.dynamic("get_y").retry(RetryPolicy.NONE).handler(any -> "y");

    ToolRegistry tools = Switchboard.load(file, plain, own).tools();
    ToolOptions options = Objects.requireNonNull(tools.find("get_x")).options();
    assertThat(options.retry().maxRetries()).isEqualTo(1);
    assertThat(options.breaker()).isEqualTo(new BreakerOptions(5, Duration.ofSeconds(60)));
    assertThat(Objects.requireNonNull(tools.find("get_y")).options().retry())
        .isEqualTo(RetryPolicy.NONE);
  }

  @Test
  void whateverIsMadeOfAFileWritesItsAuditLog() throws IOException {
    Path file =
        file(
            """
            [agent]
            name = "Waiter"
            [audit]
            file = "audit.jsonl"
            """);
    Path audit = folder.resolve("audit.jsonl");
    Tool order = Tool.dynamic("order").handler(any -> "x");

    String unused = run(Switchboard.load(file, order), "order", "{}");
    assertThat(Files.readAllLines(audit)).hasSize(1);
    AgentFile read = AgentFile.read(file, List.of(order));
    unused = run(Switchboard.executor(read).build(), "order", "{\"phone\":\"+1555\"}");
    ScriptedModel model = new ScriptedModel().calls("order", "{}").says("Done");
    try (Agent agent = Switchboard.agent(read).model(model).build()) {
      Turn done = agent.conversation("t1").say("Soup");
      assertThat(done).isEqualTo(new Turn.Reply("Done"));
    }
    assertThat(Files.readAllLines(audit))
        .hasSize(3)
        .allMatch(line -> line.contains("\"tool\":\"order\",\"mode\":\"external\""))
        .noneMatch(line -> line.contains("+1555"));
  }

  @Test
  void aCallWhoseLineCannotBeWrittenHasItsResult() throws IOException {
    Path file =
        file(
            """
            [agent]
            name = "Waiter"
            [audit]
            file = "logs/audit.jsonl"
            """);
    Files.createDirectory(folder.resolve("logs"));
    ToolExecutor executor = Switchboard.load(file, Tool.dynamic("order").handler(any -> "x"));
    Files.delete(folder.resolve("logs"));

    assertThat(run(executor, "order", "{}")).isEqualTo("x");
    assertThat(folder.resolve("logs")).doesNotExist();
  }

  @Test
  void aStorageIsClosedWhereALaterStepFails() throws IOException {
    Path file = folder.resolve("leak.toml");
    Files.writeString(
        file,
        """
        [agent]
        name = "Leak"
        model = "ollama:llama3"
        embeddings = { provider = "openai", name = "text-embedding-3-small", api_key_env = "NO_SUCH_KEY" }
        [storage]
        url = "sqlite:leak.db"
        """);

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> Switchboard.agent(file)).hasMessageContaining("NO_SUCH_KEY");
      assertThatThrownBy(() -> Switchboard.load(file)).hasMessageContaining("NO_SUCH_KEY");
    }
    assertThat(openFiles(folder.resolve("leak.db"))).isZero();
  }

  /// How many of the files that this process has open are that one, or beside it; 0 where the
  /// system does not tell.
  private static long openFiles(Path file) throws IOException {
    Path open = Path.of("/proc/self/fd");
    if (!Files.isDirectory(open)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(open)) {
      return all.filter(one -> isOf(one, file)).count();
    }
  }

  private static boolean isOf(Path open, Path file) {
    try {
      return Files.readSymbolicLink(open).toString().startsWith(file.toString());
    } catch (IOException e) {
      // It was closed meanwhile.
      return false;
    }
  }
}
