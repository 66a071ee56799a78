package dev.switchboard.config;

import dev.switchboard.agent.Agent.Cluster;
import dev.switchboard.agent.AgentLimits;
import dev.switchboard.agent.Budget;
import dev.switchboard.agent.Prices;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Memory;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.provider.ModelNames;
import dev.switchboard.provider.Provider;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.ToolRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An agent, as its file describes it.
///
/// @param tools the agent's, in order
/// @param rules for their calls, in the order of the file
/// @param allow private services that webhooks may reach, each `host:port`
/// @param storage the URL of the storage, null for none
/// @param cluster how workers share its conversations, null for a single process
/// @param warnings about what probably does not do what the author intends
/// @param blocks the memory blocks that the agent begins with
/// @param builtIns the names of its built-in tools
/// @param javaTools the names of mentioned tools that are unknown here and have to be made in Java
/// @param environment the value of an environment variable that it names, null if it is not set
/// @param defaults for options that a tool does not state
/// @param audit the audit log's file, null for none
/// @param sources makes what adds tools to a running agent, such as connections to MCP servers; it
///   throws an [IllegalArgumentException] that names the artifact of a module which is absent
/// @param recipients the names of the agents of each group and channel that it declares
/// @param tables what other modules read of their tables: see [#table]
public record AgentFile(
    AgentSettings agent,
    List<Tool> tools,
    List<ToolRule> rules,
    List<String> allow,
    @Nullable String storage,
    @Nullable Cluster cluster,
    List<ConfigException.Fault> warnings,
    List<Block> blocks,
    List<String> builtIns,
    List<String> javaTools,
    Function<String, @Nullable String> environment,
    ToolDefaults defaults,
    @Nullable Path audit,
    Supplier<List<ToolRegistry.Source>> sources,
    Map<MessageRouter.Target, List<String>> recipients,
    List<Object> tables) {
  public AgentFile {
    tables = List.copyOf(tables);
    recipients = Map.copyOf(recipients);
    tools = List.copyOf(tools);
    rules = List.copyOf(rules);
    allow = List.copyOf(allow);
    warnings = List.copyOf(warnings);
    blocks = List.copyOf(blocks);
    builtIns = List.copyOf(builtIns);
    javaTools = List.copyOf(javaTools);
  }

  /// Reads the agent of that file. Tools made in Java may be added later: a tool name that the file
  /// does not define may be one of them. It is a warning if the file has its own tools.
  ///
  /// @throws ConfigException with every fault, if one of them is an error
  public static AgentFile read(Path file) {
    return new AgentReader(file, Environment.OF_PROCESS, JavaTools.UNKNOWN).read();
  }

  /// Reads the agent of that file, with exactly these tools made in Java beside those of the file.
  ///
  /// @throws ConfigException with every fault, if one of them is an error
  public static AgentFile read(Path file, Collection<Tool> more) {
    return new AgentReader(file, Environment.OF_PROCESS, JavaTools.of(more)).read();
  }

  /// As [#read(Path)], but an environment variable that is not set is a warning.
  ///
  /// @throws ConfigException with every fault, if one of them is an error
  public static AgentFile check(Path file) {
    return new AgentReader(file, Environment.OF_PROCESS, JavaTools.UNKNOWN).check();
  }

  /// As [#check(Path)], with tools made in Java of exactly these names.
  ///
  /// @throws ConfigException with every fault, if one of them is an error
  public static AgentFile check(Path file, Collection<String> javaTools) {
    return new AgentReader(file, Environment.OF_PROCESS, JavaTools.named(javaTools)).check();
  }

  /// As [#read(Path)], of a file with that text; environment variables need not be set.
  public static AgentFile preview(Path file, String text) {
    return new AgentReader(file, Environment.NOT_LOOKED_UP, JavaTools.UNKNOWN).read(text);
  }

  /// What the module of a table read of it, null if the file does not have that table.
  ///
  /// @param type what its [FileTable] reads
  public <T> @Nullable T table(Class<T> type) {
    return tables.stream().filter(type::isInstance).map(type::cast).findFirst().orElse(null);
  }

  /// The table `agent` of a file, except tools.
  ///
  /// @param name by default the file's name without `.toml`
  /// @param fallbacks models to use if it fails, in order
  /// @param reply the JSON Schema of every reply, null for any text
  /// @param embeddings null if memory is searched by words only
  /// @param consentTimeout how long a person has to answer a request for consent, null for the
  ///   defaults
  /// @param firstMessage what the agent says first, null for nothing
  /// @param variables texts for placeholders, by name
  /// @param secretNames the environment variables whose values must not leave the process
  /// @param denyPending whether a new message denies waiting calls; otherwise it is refused
  /// @param asksApprover whether consent is asked of others than the conversation's user
  /// @param sharedOverMcp what MCP clients are offered beside the tools: `memory`, `prompt`
  /// @param memory who shares its memory
  /// @param exposeErrors whether the model sees the message of every exception
  /// @param toolNames the names of the agent's tools, in order; null for all
  public record AgentSettings(
      String name,
      @Nullable String systemPrompt,
      @Nullable ModelSettings model,
      List<ModelSettings> fallbacks,
      @Nullable Json reply,
      @Nullable EmbeddingSettings embeddings,
      AgentLimits limits,
      Budget budget,
      Prices prices,
      @Nullable Duration consentTimeout,
      @Nullable String firstMessage,
      Map<String, String> variables,
      List<Guardrail> guardrails,
      List<String> secretNames,
      boolean denyPending,
      boolean asksApprover,
      Set<String> sharedOverMcp,
      Memory.Ownership memory,
      boolean exposeErrors,
      @Nullable List<String> toolNames) {
    public AgentSettings {
      fallbacks = List.copyOf(fallbacks);
      variables = Map.copyOf(variables);
      guardrails = List.copyOf(guardrails);
      secretNames = List.copyOf(secretNames);
      sharedOverMcp = Set.copyOf(sharedOverMcp);
      toolNames = toolNames == null ? null : List.copyOf(toolNames);
    }
  }

  /// An agent's model.
  ///
  /// @param provider such as `openai`
  /// @param name the provider's name of the model
  /// @param baseUrl of its service, null for the provider's own
  /// @param apiKeyEnv the environment variable with the key, null for the provider's usual one
  /// @param temperature the sampling temperature, null for the provider's default
  /// @param maxTokens the maximum tokens of a reply, null for the provider's default
  /// @param reasoning how much it thinks, a word or a number of tokens; null for the default
  /// @param options further members of every request, unchanged
  /// @param caching whether requests mark the parts to cache
  /// @param structured how structured replies are requested, null for the default
  /// @param thinksFirst whether replies begin with thoughts that have no opening tag
  /// @param api which of OpenAI's APIs its service is asked by, null for the default
  /// @param window how many tokens a request and its reply may have together, null if not known
  public record ModelSettings(
      String provider,
      String name,
      @Nullable String baseUrl,
      @Nullable String apiKeyEnv,
      @Nullable Double temperature,
      @Nullable Integer maxTokens,
      @Nullable String reasoning,
      Json options,
      boolean caching,
      ModelOptions.@Nullable Structured structured,
      boolean thinksFirst,
      ModelOptions.@Nullable Api api,
      @Nullable Integer window) {
    /// The supported providers.
    public static final List<String> PROVIDERS = Provider.words();

    /// Settings with that temperature and token limit, and defaults otherwise.
    public ModelSettings(
        String provider,
        String name,
        @Nullable String baseUrl,
        @Nullable String apiKeyEnv,
        @Nullable Double temperature,
        @Nullable Integer maxTokens) {
      this(
          provider,
          name,
          baseUrl,
          apiKeyEnv,
          temperature,
          maxTokens,
          null,
          Json.EMPTY_OBJECT,
          true,
          null,
          false,
          null,
          null);
    }

    /// Settings with the provider's default temperature and token limit.
    public ModelSettings(
        String provider, String name, @Nullable String baseUrl, @Nullable String apiKeyEnv) {
      this(provider, name, baseUrl, apiKeyEnv, null, null);
    }

    /// The options of the model's client, except address and key.
    public ModelOptions.Builder clientOptions() {
      ModelOptions.Builder options =
          ModelOptions.builder().more(this.options).caching(caching).thinksFirst(thinksFirst);
      if (temperature != null) {
        options.temperature(temperature);
      }
      if (maxTokens != null) {
        options.maxTokens(maxTokens);
      }
      if (reasoning != null) {
        options.reasoning(reasoning);
      }
      if (structured != null) {
        options.structured(structured);
      }
      if (api != null) {
        options.api(api);
      }
      return window == null ? options : options.window(window);
    }

    /// A clause that the provider is unknown, with the known ones.
    public static String unknownProvider(String provider) {
      return unknownProvider(provider, PROVIDERS);
    }

    /// A clause that the provider is not one of these.
    static String unknownProvider(String provider, List<String> known) {
      return "unknown model provider '%s': use %s; any compatible service is openai with its base_url"
          .formatted(provider, String.join(", ", known));
    }

    /// The model of the form `provider:name`, such as `openai:gpt-6-luna`.
    ///
    /// @throws IllegalArgumentException when it does not have that form
    public static ModelSettings of(String text) {
      int colon = text.indexOf(':');
      if (colon < 1 || colon == text.length() - 1) {
        throw new IllegalArgumentException(
            "a model must be provider:name, such as \"openai:%s\", not '%s'"
                .formatted(ModelNames.OPENAI, text));
      }
      return new ModelSettings(text.substring(0, colon), text.substring(colon + 1), null, null);
    }
  }

  /// The embedding model of an agent's memory.
  ///
  /// @param leastSimilarity the minimum similarity of a text to a query, 0 to 1
  public record EmbeddingSettings(ModelSettings model, double leastSimilarity) {
    /// The providers with embeddings.
    public static final List<String> PROVIDERS = Provider.wordsOfEmbeddings();
  }

  /// The table `server` of a file beside the agents' files: the options of `switchboard serve`.
  ///
  /// @param port null for the default, as the others are
  public record ServerOptions(
      @FileTable.TableKey(most = 65_535) @Nullable Integer port,
      @Nullable String host,
      @Nullable String publicUrl,
      List<String> trustedProxy,
      List<String> allowOrigin,
      boolean clientSystem,
      @FileTable.TableKey(most = 65_535) @Nullable Integer managementPort,
      @Nullable String onPending,
      @Nullable String onPendingSecretEnv,
      @Nullable String tokens,
      @Nullable String tokenEnv) {
    record Toml(@Nullable ServerOptions server) {}

    public ServerOptions {
      trustedProxy = List.copyOf(trustedProxy);
      allowOrigin = List.copyOf(allowOrigin);
    }

    /// Its keys, in the order of the components.
    public static List<String> keys() {
      return Binder.keys(ServerOptions.class);
    }

    /// The table of that file.
    ///
    /// @throws ConfigException when the file cannot be read, or has a fault
    public static ServerOptions read(Path file) {
      FaultList faults = new FaultList();
      Source source = Source.read(file, faults);
      Toml toml = source == null ? null : Binder.bound(Value.root(source), Toml.class);
      if (source != null && toml != null && toml.server == null && !faults.haveErrors()) {
        Value.root(source).bad("needs a table [server]");
      }
      if (faults.haveErrors() || toml == null || toml.server == null) {
        throw new ConfigException(faults.inOrder());
      }
      return toml.server;
    }
  }
}
