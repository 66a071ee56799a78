package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.AgentLimits;
import dev.switchboard.config.AgentFile.AgentSettings;
import dev.switchboard.config.AgentFile.EmbeddingSettings;
import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Memory;
import dev.switchboard.provider.Provider;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentReaderTest {
  private static final String EXAMPLE =
      """
      [agent]
      name = "Reservations"
      system_prompt = "You are a restaurant reservation assistant."
      tools = ["make_reservation", "check_availability"]
      model = { provider = "openai", name = "gpt-6-luna" }
      limits = { iterations = 7, model_timeout = "20s", consent_timeout = "1m" }
      first_message = "Hi! Shall I find you a table?"
      variables = { house = "Da Enzo", tables = 12 }
      pending = "deny"
      memory_scope = "agent"
      memory = { house = { scope = "agent", permission = "read_only" } }
      consent = "approver"
      mcp_server = { share = ["memory", "prompt"] }
      expose_errors = true
      defaults = { retry = { max_retries = 1 }, breaker = { cooldown = "60s" } }

      [[tools]]
      name = "check_availability"
      description = "Check if a table is free for a date, time and party size."
      webhook_url = "https://api.example.com/reservations/check"
      reassurance = { message = "Let me check the book...", after_ms = 800 }
      parameters = { type = "object", properties = { date = { type = "string", format = "date" } }, required = ["date"] }

      [[tools]]
      name = "make_reservation"
      webhook_url = "http://127.0.0.1:9001/book"

      [[tools]]
      name = "unused"
      webhook_url = "https://api.example.com/unused"

      [network]
      allow = ["127.0.0.1:9001"]
      """;

  @TempDir private Path folder;

  @Test
  void readsTheAgentsSettings() {
    AgentSettings agent = agent().read(EXAMPLE).agent();

    assertThat(agent.name()).isEqualTo("Reservations");
    assertThat(agent.systemPrompt()).isEqualTo("You are a restaurant reservation assistant.");
    assertThat(agent.model()).isEqualTo(new ModelSettings("openai", "gpt-6-luna", null, null));
    assertThat(agent.fallbacks()).isEmpty();
    assertThat(agent.reply()).isNull();
    assertThat(agent.embeddings()).isNull();
    assertThat(agent.limits()).isEqualTo(new AgentLimits(7, Duration.ofSeconds(20), 200));
    assertThat(agent.consentTimeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(agent.firstMessage()).isEqualTo("Hi! Shall I find you a table?");
    assertThat(agent.variables()).isEqualTo(Map.of("house", "Da Enzo", "tables", "12"));
    assertThat(agent.guardrails()).isEmpty();
    assertThat(agent.secretNames()).isEqualTo(SecretNames.of(Json.EMPTY_OBJECT.tree()));
    assertThat(agent.denyPending()).isTrue();
    assertThat(agent.asksApprover()).isTrue();
    assertThat(agent.sharedOverMcp()).containsExactlyInAnyOrder("memory", "prompt");
    assertThat(agent.memory())
        .isEqualTo(new Memory.Ownership(Memory.Scope.AGENT, Set.of("house"), List.of()));
    assertThat(agent.exposeErrors()).isTrue();
    assertThat(agent.toolNames()).containsExactly("make_reservation", "check_availability");
  }

  @Test
  void memoryThatTheAgentCannotChangeIsAWarning() {
    String memory = "[agent]\nname = \"a\"\n%s[agent.memory.guest]\n%s";
    assertThat(agent().read(memory.formatted("", "")).warnings())
        .singleElement()
        .asString()
        .endsWith(
            ":3:1: warning: the agent cannot change its memory (guest): add \"block\" to"
                + " agent.tools, or set permission = \"read_only\"");
    assertThat(agent().read(memory.formatted("tools = [\"block\"]\n", "")).warnings()).isEmpty();
    assertThat(agent().read(memory.formatted("", "permission = \"read_only\"\n")).warnings())
        .isEmpty();
  }

  @Test
  void givesTheAgentTheToolsItNamesInThatOrder() {
    AgentFile file = agent().read(EXAMPLE);

    assertThat(file.tools())
        .extracting(Tool::name)
        .containsExactly("make_reservation", "check_availability");
    assertThat(file.allow()).containsExactly("127.0.0.1:9001");
    assertThat(file.warnings()).isEmpty();
  }

  @Test
  void givesTheAgentAllToolsWhenItNamesNone() {
    String toml = EXAMPLE.replaceFirst("(?m)^tools = .*$", "");

    assertThat(agent().read(toml).tools())
        .extracting(Tool::name)
        .containsExactly("check_availability", "make_reservation", "unused");
  }

  @Test
  void readsWhatAModelIsToldOfATool() {
    Tool tool = agent().read(EXAMPLE).tools().get(1);

    assertThat(tool.definition().description())
        .isEqualTo("Check if a table is free for a date, time and party size.");
    assertThat(tool.definition().mode()).isEqualTo(ToolMode.EXTERNAL);
    assertThat(tool.options().reassurance())
        .isEqualTo(new Reassurance("Let me check the book...", Duration.ofMillis(800)));
  }

  @Test
  void readsEveryOptionalKeyOfATool() {
    Tool tool =
        new AgentFolder(folder, Map.of("KEY", "k-1", "SIGN", "whsec_c2VjcmV0"))
            .read(
                """
                [[tools]]
                name = "lookup"
                webhook_url = "https://api.example.com/x"
                mode = "safe_write"
                strict = true
                parameters = '{"type":"object","properties":{},"additionalProperties":false}'
                timeout = "4s"
                deadline = 20
                retry = { max_retries = 4, on = "transient", base = "50ms", cap = "1.5s" }
                breaker = { failure_threshold = 3, cooldown = "1m" }
                response_limit = 2048
                result_limit = 4000
                usage_rule = "Ask for the number first."
                repeat_limit = 0
                operation_key = "action"
                examples = [{}, '{}']
                parallel = false
                on_interrupt = "cancel"
                repair = true
                headers = { Authorization = "Bearer ${KEY}" }
                secret_env = "SIGN"
                """)
            .tools()
            .getFirst();

    assertThat(tool.definition().mode()).isEqualTo(ToolMode.SAFE_WRITE);
    assertThat(tool.definition().strict()).isTrue();
    assertThat(tool.definition().usageRule()).isEqualTo("Ask for the number first.");
    assertThat(tool.definition().examples()).hasSize(2);
    assertThat(tool.options().timeout()).isEqualTo(Duration.ofSeconds(4));
    assertThat(tool.options().deadline()).isEqualTo(Duration.ofSeconds(20));
    assertThat(tool.options().retry())
        .isEqualTo(
            new RetryPolicy(
                4, Duration.ofMillis(50), Duration.ofMillis(1500), RetryPolicy.On.TRANSIENT));
    assertThat(tool.options().breaker()).isEqualTo(new BreakerOptions(3, Duration.ofMinutes(1)));
    assertThat(tool.options().resultLimit()).isEqualTo(4000);
    assertThat(tool.options().repeatLimit()).isZero();
    assertThat(tool.definition().operationKey()).isEqualTo("action");
    assertThat(tool.options().parallel()).isFalse();
    assertThat(tool.options().onInterrupt()).isEqualTo(ToolOptions.InterruptPolicy.CANCEL);
    assertThat(tool.options().repair()).isTrue();
  }

  @Test
  void aToolsOwnKeyWinsOverTheDefaultOfAllTools() {
    String defaults =
        "[agent]\ndefaults = { retry = { max_retries = 1, cap = \"2s\" },"
            + " breaker = { failure_threshold = 3 } }\n";
    String own = "retry = { max_retries = 5 }\nbreaker = { cooldown = \"1s\" }\n";

    Tool tool = agent().read(defaults + AgentFolder.GOOD_TOOL + own).tools().getFirst();

    assertThat(tool.options().retry().maxRetries()).isEqualTo(5);
    assertThat(tool.options().retry().cap()).isEqualTo(Duration.ofSeconds(2));
    assertThat(tool.options().breaker()).isEqualTo(new BreakerOptions(3, Duration.ofSeconds(1)));
  }

  @Test
  void retriesDestructiveToolOnlyIfItSaysSo() {
    String defaults = "[agent]\ndefaults = { retry = { max_retries = 1 } }\n";
    String tool = AgentFolder.GOOD_TOOL.replace("name = \"good\"", "name = \"delete_order\"");

    assertThat(retries(defaults + AgentFolder.GOOD_TOOL)).isEqualTo(1);
    assertThat(retries(defaults + tool)).isZero();
    assertThat(retries(tool + "retry = { max_retries = 3 }")).isEqualTo(3);
  }

  @Test
  void anEmptyFileIsAnAgentOfItsOwnName() {
    AgentFile file = agent().read("");

    assertThat(file.agent().name()).isEqualTo("agent");
    assertThat(file.agent().limits()).isEqualTo(AgentLimits.DEFAULT);
    assertThat(file.tools()).isEmpty();
  }

  @Test
  void toolsOfJavaJoinThoseOfTheFile() {
    Tool java = Tool.dynamic("local_time").handler(arguments -> "12:00");
    String toml = "[agent]\ntools = [\"local_time\", \"good\"]\n" + AgentFolder.GOOD_TOOL;

    assertThat(agent().read(toml, java).tools())
        .extracting(Tool::name)
        .containsExactly("local_time", "good");
    assertThat(agent().faults(toml.replace("\"good\"", "\"local_time\""), java))
        .anyMatch(fault -> fault.endsWith("tool 'local_time' is defined twice, here and in Java"));
  }

  @Test
  void aFileWithoutToolsOfItsOwnMayNameThoseOfJava() {
    AgentFile file = agent().read("[agent]\ntools = [\"load_data\", \"validate\"]");

    assertThat(file.agent().toolNames()).containsExactly("load_data", "validate");
    assertThat(file.tools()).isEmpty();
  }

  @Test
  void aNameCloseToABuiltInToolIsAskedAbout() {
    assertThat(agent().faults("[agent]\ntools = [\"block\", \"recal\", \"load_data\"]"))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains(
            "warning: agent.tools names 'recal', which is not a built-in tool; did you mean"
                + " 'recall'?");
  }

  @Test
  void rulesOnBuiltInToolsAreJudgedWhereNoOtherToolIsKnown() {
    assertThat(
            agent()
                .faults(
                    """
                    [agent]
                    tools = ["block", "load_data"]
                    tool_rules = [
                      { tool_name = "block", rule_type = { AllowedOperations = ["apend"] } },
                      { tool_name = "load_data", rule_type = { MaxCalls = 3 } }]
                    """))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("error: ", "names the operation 'apend'", "did you mean 'append'?");
  }

  @Test
  void readsTheModelInAWord() {
    assertThat(agent().read("[agent]\nmodel = \"openai:gpt-6-luna\"").agent().model())
        .isEqualTo(new ModelSettings("openai", "gpt-6-luna", null, null));
  }

  @Test
  void readsHowTheModelChoosesItsWords() {
    assertThat(
            agent()
                .read(
                    """
                    [agent.model]
                    provider = "anthropic"
                    name = "m"
                    temperature = 0.2
                    max_tokens = 500
                    """)
                .agent()
                .model())
        .isEqualTo(new ModelSettings("anthropic", "m", null, null, 0.2, 500));
  }

  @Test
  void readsEmbeddingsInAWordOrATable() {
    ModelSettings small = new ModelSettings("openai", "text-embedding-3-small", null, null);
    assertThat(
            agent()
                .read("[agent]\nembeddings = \"openai:text-embedding-3-small\"")
                .agent()
                .embeddings())
        .isEqualTo(new EmbeddingSettings(small, 0.3));
    assertThat(
            agent()
                .read(
                    """
                    [agent.embeddings]
                    provider = "ollama"
                    name = "nomic"
                    least_similarity = 1
                    """)
                .agent()
                .embeddings())
        .isEqualTo(new EmbeddingSettings(new ModelSettings("ollama", "nomic", null, null), 1));
  }

  @Test
  void faultsOfEmbeddingsAreNamed() {
    String providers = String.join(", ", Provider.wordsOfEmbeddings());
    assertThat(agent().faults("[agent]\nembeddings = \"anthropic:x\""))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("unknown model provider 'anthropic': use " + providers + ";");
    assertThat(
            agent()
                .faults(
                    """
                    [agent.embeddings]
                    provider = "openai"
                    least_similarity = 2
                    similarity = 1
                    """))
        .anyMatch(fault -> fault.contains("agent.embeddings needs 'name'"))
        .anyMatch(fault -> fault.contains("least_similarity must be 0 to 1, not 2"))
        .anyMatch(fault -> fault.contains("similarity"));
  }

  @Test
  void readsAFileThatBeginsWithAByteOrderMark() {
    assertThat(agent().faults("\uFEFF" + EXAMPLE)).isEmpty();
  }

  private int retries(String toml) {
    return agent().read(toml).tools().getFirst().options().retry().maxRetries();
  }

  private AgentFolder agent() {
    return new AgentFolder(folder);
  }
}
