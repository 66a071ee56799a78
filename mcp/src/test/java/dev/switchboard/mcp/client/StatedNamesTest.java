package dev.switchboard.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.Switchboard;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.mcp.McpTools;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.webhook.GuardedHttp;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Names of a server's tools that a file states, and what is said once the server's own are known.
@Isolated("it reads the log")
class StatedNamesTest {
  private static final String SCHEMA = ",\"inputSchema\":{\"type\":\"object\"}}";

  private final FakeWeb fake = new FakeWeb(Fake.STATELESS);
  private final Logger logger = Logger.getLogger("dev.switchboard.mcp.tools");
  private final List<LogRecord> logged = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          logged.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    fake.tools.clear();
    fake.tools.add("{\"name\":\"get_forecast\"" + SCHEMA);
    logger.addHandler(handler);
  }

  @AfterEach
  void close() {
    logger.removeHandler(handler);
    logger.setLevel(null);
    fake.close();
  }

  private List<String> warnings() {
    return logged.stream()
        .filter(line -> line.getLevel().equals(Level.WARNING))
        .map(LogRecord::getMessage)
        .toList();
  }

  private List<String> said(UnaryOperator<McpTools> settings) {
    fake.start(settings);
    return warnings();
  }

  private List<String> saidOfRules(UnaryOperator<McpTools> settings, String... tools) {
    List<ToolRule> rules =
        Stream.of(tools).map(tool -> ToolRule.of(tool, new RuleType.MaxCalls(2))).toList();
    McpTools server =
        McpTools.at("web", URI.create(fake.web.url("/mcp")))
            .network(GuardedHttp.allowing(fake.web.hostAndPort()))
            .timeout(Duration.ofMinutes(5));
    ToolExecutor executor =
        ToolExecutor.builder().tools(settings.apply(server)).rules(rules).build();
    try (executor) {
      return warnings();
    }
  }

  @Test
  void aPatternThatMatchesNoToolIsTold() {
    assertThat(said(tools -> tools.exclude("get_forcast", "list_*", "get_*t")))
        .containsExactly(
            "MCP server 'web': it has no tool 'get_forcast', which `exclude` names (did you mean"
                + " 'get_forecast'?); it has no tool like 'list_*', which `exclude` names");
  }

  @Test
  void theAgentsNameOfAToolIsNotTheServersName() {
    assertThat(said(tools -> tools.include("web__get_forecast")))
        .containsExactly(
            "MCP server 'web': it has no tool 'web__get_forecast', which `include` names (did you"
                + " mean 'get_forecast'?)");
  }

  @Test
  void aPolicyOfNoToolIsTold() {
    assertThat(said(tools -> tools.policy("get_forcast", (tool, handler, mode) -> tool.mode(mode))))
        .containsExactly(
            "MCP server 'web': it has no tool 'get_forcast', which the file states a policy for"
                + " (did you mean 'get_forecast'?)");
  }

  @Test
  void aRuleForAToolThatTheServerDoesNotHaveIsTold() {
    assertThat(saidOfRules(tools -> tools, "web__get_forcast", "web__get_forecast", "*"))
        .containsExactly(
            "MCP server 'web': 'web__get_forcast' stands in a rule or in agent.tools, but no tool"
                + " that the agent takes from it has that name (did you mean"
                + " 'web__get_forecast'?)");
  }

  @Test
  void aRuleForAToolWithoutAPrefixIsTold() {
    assertThat(saidOfRules(McpTools::withoutPrefix, "get_forcast", "*", "end_call"))
        .containsExactly(
            "MCP server 'web': 'get_forcast' stands in a rule or in agent.tools, but no tool that"
                + " the agent takes from it has that name (did you mean 'get_forecast'?)");
  }

  @Test
  void aNameInTheListOfToolsThatNoServerHasIsTold(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("agent.toml"),
            """
            [agent]
            name = "x"
            tools = ["recall", "web__get_forecast", "web__get_forcast"]
            [[agent.mcp]]
            name = "web"
            url = "%s"
            [network]
            allow = ["%s"]
            """
                .formatted(fake.web.url("/mcp"), fake.web.hostAndPort()));
    try (ToolExecutor executor = Switchboard.executor(AgentFile.read(file)).build()) {
      assertThat(executor.tools().find("web__get_forecast")).isNotNull();
      assertThat(warnings())
          .singleElement()
          .asString()
          .startsWith("MCP server 'web': 'web__get_forcast' stands in a rule or in agent.tools");
    }
  }

  @Test
  void aRuleForAToolOfAnotherServerIsNotTold() {
    assertThat(saidOfRules(tools -> tools, "other__get")).isEmpty();
  }

  @Test
  void allThatIsLeftToTheServerIsLogged() {
    logger.setLevel(Level.FINE);
    fake.tools.clear();
    for (int i = 0; i < 4; i++) {
      fake.tools.add(
          ("{\"name\":\"t%d\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
                  + "\"a\":{\"pattern\":\"(?=x)\"},\"b\":{\"pattern\":\"(?=x)\"}}}}")
              .formatted(i));
    }
    fake.start();

    assertThat(warnings())
        .singleElement()
        .asString()
        .endsWith("; and these 3")
        .doesNotContain(".;");
    assertThat(logged)
        .hasSize(4)
        .allMatch(line -> line.getMessage().startsWith("MCP server 'web': "));
    assertThat(logged.getLast().getMessage()).contains("t3");
  }
}
