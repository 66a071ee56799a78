package dev.switchboard.config;

import dev.switchboard.agent.AgentLimits;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.webhook.GuardedHttp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An agent as its file describes it.
///
/// @param tools the agent's, in their order
/// @param rules that their calls are held to, in the order of the file
/// @param allow inner services that webhooks may reach, `host:port` each
/// @param storage the URL of the storage, null for memory
/// @param cluster how workers share its conversations, null where one process has them
/// @param warnings what is likely not to do what the author thinks
/// @param blocks the blocks of memory that the agent begins with
/// @param builtIns the names of the built-in tools that it has
/// @param javaTools the names of tools that it speaks of and that are not here: they have to be
///   made in Java
/// @param environment the value of an environment variable that it names, null where that is not
///   set
/// @param defaults what holds for tools that do not state it themselves; those of the file do
/// @param audit where each call leaves a line, null for nowhere
/// @param phone that it answers, null for none
/// @param mcp the MCP servers whose tools it has
public record AgentFile(
    AgentSettings agent,
    List<Tool> tools,
    List<ToolRule> rules,
    List<String> allow,
    @Nullable String storage,
    dev.switchboard.agent.Agent.@Nullable Cluster cluster,
    List<ConfigException.Fault> warnings,
    List<Block> blocks,
    List<String> builtIns,
    List<String> javaTools,
    Function<String, @Nullable String> environment,
    ToolDefaults defaults,
    @Nullable Path audit,
    @Nullable PhoneSettings phone,
    List<McpSettings> mcp) {
  public AgentFile {
    mcp = List.copyOf(mcp);
    tools = List.copyOf(tools);
    rules = List.copyOf(rules);
    allow = List.copyOf(allow);
    warnings = List.copyOf(warnings);
    blocks = List.copyOf(blocks);
    builtIns = List.copyOf(builtIns);
    javaTools = List.copyOf(javaTools);
  }

  /// The agent of that file. Tools made in Java may join it later: a name that no tool of the file
  /// has is taken for that of one, which is a warning where the file has tools of its own.
  ///
  /// @throws ConfigException with every fault, when there is an error among them
  public static AgentFile read(Path file) {
    return new AgentReader(file, Environment.OF_PROCESS, JavaTools.UNKNOWN).read();
  }

  /// The agent of that file, with these tools made in Java that join those of the file, and no
  /// others.
  ///
  /// @throws ConfigException with every fault, when there is an error among them
  public static AgentFile read(Path file, Collection<Tool> more) {
    return new AgentReader(file, Environment.OF_PROCESS, JavaTools.of(more)).read();
  }

  /// The agent of that file, to be looked at and not to be run: an environment variable that is not
  /// set is a warning.
  ///
  /// @throws ConfigException with every fault, when there is an error among them
  public static AgentFile check(Path file) {
    return new AgentReader(file, Environment.OF_PROCESS, JavaTools.UNKNOWN).check();
  }

  /// The agent of that file, to be looked at and not to be run, with tools made in Java of these
  /// names and no others. An environment variable that is not set is a warning.
  ///
  /// @throws ConfigException with every fault, when there is an error among them
  public static AgentFile check(Path file, Collection<String> javaTools) {
    return new AgentReader(file, Environment.OF_PROCESS, JavaTools.named(javaTools)).check();
  }

  /// The agent that the file would describe if it held that text. Environment variables need not be
  /// set for it.
  ///
  /// @throws ConfigException with every fault, when there is an error among them
  public static AgentFile preview(Path file, String text) {
    return new AgentReader(file, Environment.of(name -> "not looked up"), JavaTools.UNKNOWN)
        .read(text);
  }

  /// What the table `agent` of a file says, tools aside.
  ///
  /// @param name by default the file's name without `.toml`
  /// @param systemPrompt null where there is none
  /// @param model null where there is none
  /// @param fallbacks the models that are asked in its place, in their order
  /// @param reply the JSON Schema of every last reply, null for words of any form
  /// @param embeddings null where memory is searched by words alone
  /// @param consentTimeout how long a person has to answer a request for consent
  /// @param firstMessage what the agent says first, null for nothing
  /// @param variables texts for the placeholders of prompt and first message, by name
  /// @param guardrails what looks at its words, calls and results
  /// @param secretNames the environment variables whose values must not leave
  /// @param denyPending whether a new sentence of the user denies what waits for consent, instead
  ///   of being refused
  /// @param exposeErrors whether the model sees the message of every exception
  /// @param toolNames the tools that the agent has, in their order; null for all
  public record AgentSettings(
      String name,
      @Nullable String systemPrompt,
      @Nullable ModelSettings model,
      List<ModelSettings> fallbacks,
      @Nullable Json reply,
      @Nullable EmbeddingSettings embeddings,
      AgentLimits limits,
      Duration consentTimeout,
      @Nullable String firstMessage,
      Map<String, String> variables,
      List<Guardrail> guardrails,
      List<String> secretNames,
      boolean denyPending,
      boolean exposeErrors,
      @Nullable List<String> toolNames) {
    public AgentSettings {
      fallbacks = List.copyOf(fallbacks);
      variables = Map.copyOf(variables);
      guardrails = List.copyOf(guardrails);
      secretNames = List.copyOf(secretNames);
      toolNames = toolNames == null ? null : List.copyOf(toolNames);
    }
  }

  /// The model that an agent talks with.
  ///
  /// @param provider such as `openai`
  /// @param name the provider's name of the model
  /// @param baseUrl where its service is, null for the provider's own
  /// @param apiKeyEnv the environment variable that holds the key, null for the provider's usual
  ///   one
  /// @param temperature the sampling temperature, null for the provider's default
  /// @param maxTokens the most tokens of a reply, null for the provider's usual number
  /// @param reasoning how much it thinks first, a word or a number of tokens; null for the usual
  /// @param options further members of every request, as they are
  /// @param caching whether the provider is told what of a request to keep for the next
  /// @param structured how structured replies are made, null for the usual way
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
      ModelOptions.@Nullable Structured structured) {
    /// The providers that there are.
    public static final List<String> PROVIDERS =
        List.of("anthropic", "gemini", "groq", "ollama", "openai");

    /// Settings with that temperature and token limit, and all else as usual.
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
          null);
    }

    /// Settings with the provider's default temperature and token limit.
    public ModelSettings(
        String provider, String name, @Nullable String baseUrl, @Nullable String apiKeyEnv) {
      this(provider, name, baseUrl, apiKeyEnv, null, null);
    }

    /// What the client of the model is told, but for its address and key.
    public ModelOptions.Builder clientOptions() {
      ModelOptions.Builder options = ModelOptions.builder().more(this.options).caching(caching);
      if (temperature != null) {
        options.temperature(temperature);
      }
      if (maxTokens != null) {
        options.maxTokens(maxTokens);
      }
      if (reasoning != null) {
        options.reasoning(reasoning);
      }
      return structured == null ? options : options.structured(structured);
    }

    /// What is wrong with that provider's name and what would be right, a clause.
    public static String unknownProvider(String provider) {
      return unknownProvider(provider, PROVIDERS);
    }

    /// What is wrong with a provider's name if these are the known ones, a clause.
    static String unknownProvider(String provider, List<String> known) {
      return "unknown model provider '%s': use %s; any compatible service is openai with its base_url"
          .formatted(provider, String.join(", ", known));
    }

    /// The model that is written `provider:name`, such as `openai:gpt-4.1-mini`.
    ///
    /// @throws IllegalArgumentException when it is not written so
    public static ModelSettings of(String text) {
      int colon = text.indexOf(':');
      if (colon < 1 || colon == text.length() - 1) {
        throw new IllegalArgumentException(
            "a model must be provider:name, such as \"openai:gpt-4.1-mini\", not '" + text + "'");
      }
      return new ModelSettings(text.substring(0, colon), text.substring(colon + 1), null, null);
    }
  }

  /// The model whose vectors an agent's memory is searched with.
  ///
  /// @param model where it is and what it is called
  /// @param leastSimilarity how alike a text must be to a query to be found, 0 to 1
  public record EmbeddingSettings(ModelSettings model, double leastSimilarity) {
    /// The providers that have embeddings.
    public static final List<String> PROVIDERS = List.of("gemini", "ollama", "openai");
  }

  /// The phone that an agent answers. What is null or empty is as the phone has it by default.
  ///
  /// @param number that is called (E.164)
  /// @param publicUrl where the carrier reaches the server
  /// @param limits by their names: `duration`, `silence`, `drain`
  /// @param calls how many may be on at a time, null for the usual number
  /// @param consent `operator`, `caller` or `deny`
  /// @param words that it says by itself, by their names
  /// @param systemTools the host's tools that the model has, null for all
  /// @param log the folder that each call has one of its own in, null for none
  /// @param logKeys whether the keys that a caller presses stand in the events there
  /// @param faults what the environment lacks or has wrong for it; with one of them no call can be
  ///   answered
  public record PhoneSettings(
      CarrierSettings carrier,
      String number,
      String publicUrl,
      EngineSettings engine,
      @Nullable TransferSettings transfer,
      Map<String, Duration> limits,
      @Nullable Integer calls,
      @Nullable String consent,
      Map<String, String> words,
      @Nullable List<String> systemTools,
      @Nullable Path log,
      boolean logKeys,
      List<ConfigException.Fault> faults) {
    public PhoneSettings {
      limits = Map.copyOf(limits);
      words = Map.copyOf(words);
      systemTools = systemTools == null ? null : List.copyOf(systemTools);
      faults = List.copyOf(faults);
    }
  }

  /// The account at the carrier that brings calls in.
  ///
  /// @param name such as `twilio`
  /// @param account its id, null for the one in the usual environment variable
  /// @param tokenEnv the environment variable that holds its token, null for the usual one
  /// @param baseUrl where its REST interface is, null for the carrier's own
  public record CarrierSettings(
      String name, @Nullable String account, @Nullable String tokenEnv, @Nullable String baseUrl) {
    /// The carriers that there are.
    public static final List<String> NAMES = List.of("twilio");
  }

  /// What hears and speaks on calls.
  ///
  /// @param model its provider and name, where it is, and the variable with its key
  /// @param voice null for the usual one
  /// @param language of callers, such as `de`; null where it finds that out
  /// @param turns how it finds out that a caller has finished, null for the usual way
  public record EngineSettings(
      ModelSettings model,
      @Nullable String voice,
      @Nullable String language,
      @Nullable TurnSettings turns) {
    /// The providers of engines that there are.
    public static final List<String> PROVIDERS = List.of("openai-realtime");
  }

  /// How an engine finds out that a caller has finished. What is null is as usual.
  ///
  /// @param type `server_vad`, by loudness, or `semantic_vad`, by what is said
  /// @param threshold how loud speech is, 0 to 1
  /// @param prefix audio before its beginning that belongs to it
  /// @param silence after which it has ended
  /// @param eagerness how soon it counts as finished by what is said, such as `low`
  public record TurnSettings(
      String type,
      @Nullable Double threshold,
      @Nullable Duration prefix,
      @Nullable Duration silence,
      @Nullable String eagerness) {}

  /// Where calls may be transferred.
  ///
  /// @param to numbers by the names of destinations
  /// @param allow the beginnings of numbers that are allowed, null for those with the calling code
  ///   of the phone's own
  /// @param raw whether the model may name a number itself, null where it may if there are no
  ///   destinations
  public record TransferSettings(
      Map<String, String> to, @Nullable List<String> allow, @Nullable Boolean raw) {
    public TransferSettings {
      to = Map.copyOf(to);
      allow = allow == null ? null : List.copyOf(allow);
    }
  }

  /// An MCP server whose tools an agent has.
  ///
  /// @param name of the server, such as `github`
  /// @param prefix whether the names of its tools begin with its own, as in `github__create_issue`
  /// @param reached how it is reached
  /// @param include patterns of the tools that are taken, `*` for any characters; empty for all
  /// @param exclude patterns of tools that are not
  /// @param policies what the file says of its tools, by the server's names of them
  /// @param timeout of one request
  /// @param responseLimit bytes of one message of the server
  /// @param required whether the agent cannot begin without it
  /// @param lock where the digests of its tools are kept and compared, null for nowhere
  /// @param trust whether its word counts for repeating calls that have failed
  /// @param sampling what its questions to the agent's model may cost, null where it may ask none
  /// @param roots the folders that it is told of
  public record McpSettings(
      String name,
      boolean prefix,
      McpWay reached,
      List<String> include,
      List<String> exclude,
      Map<String, ToolPolicy> policies,
      Duration timeout,
      long responseLimit,
      boolean required,
      @Nullable Path lock,
      boolean trust,
      @Nullable SamplingSettings sampling,
      List<Path> roots) {
    /// How long a request may take by default.
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    /// How many bytes a message of the server may have by default: 8 MiB.
    public static final long DEFAULT_RESPONSE_LIMIT = 8L << 20;

    public McpSettings {
      include = List.copyOf(include);
      exclude = List.copyOf(exclude);
      policies = Map.copyOf(policies);
      roots = List.copyOf(roots);
    }
  }

  /// How an MCP server is reached.
  public sealed interface McpWay {
    /// A program that is started, and spoken with over its standard input and output.
    ///
    /// @param words the program and its arguments
    /// @param folder to start it in, null for that of this process
    /// @param environment its variables beside `HOME` and `PATH`
    record Program(List<String> words, @Nullable Path folder, Map<String, String> environment)
        implements McpWay {
      public Program {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
      }
    }

    /// A server on the network, spoken with over streamable HTTP.
    ///
    /// @param headers of every request
    /// @param oauth how it is told on whose behalf requests are made, null for only by the headers
    /// @param network the client that connects
    record Web(
        String url, Map<String, String> headers, @Nullable OAuthSettings oauth, GuardedHttp network)
        implements McpWay {
      public Web {
        headers = Map.copyOf(headers);
      }
    }
  }

  /// The client as which an agent stands before an authorization server. What is null is found out,
  /// or registered.
  ///
  /// @param clientId of a client that is registered
  /// @param clientSecretEnv the environment variable with its secret
  /// @param privateKeyEnv the environment variable with its private key (PEM), in place of a secret
  /// @param keyId of that key
  /// @param issuer the only authorization server to be asked
  /// @param clientMetadataUrl where the client describes itself
  /// @param scopes empty for those that the server names
  /// @param machine whether the client asks for itself, without a person
  /// @param redirect where a browser is sent to after a login
  public record OAuthSettings(
      @Nullable String clientId,
      @Nullable String clientSecretEnv,
      @Nullable String privateKeyEnv,
      @Nullable String keyId,
      @Nullable String issuer,
      @Nullable String clientMetadataUrl,
      List<String> scopes,
      boolean machine,
      @Nullable String redirect) {
    public OAuthSettings {
      scopes = List.copyOf(scopes);
    }
  }

  /// What an MCP server's questions to the agent's model may cost.
  ///
  /// @param maxTokens of one reply
  /// @param calls at most, as long as the process lasts
  public record SamplingSettings(int maxTokens, int calls) {
    /// What they may cost by default: 100 replies of 1,000 tokens.
    public static final SamplingSettings DEFAULT = new SamplingSettings(1_000, 100);
  }

  /// What a file says of how a tool that it does not define is run.
  @FunctionalInterface
  public interface ToolPolicy {
    /// Sets what the file says.
    ///
    /// @param handler what will answer
    /// @param usual the mode that the tool has where the file does not state one
    Tool.DynamicBuilder applied(Tool.DynamicBuilder tool, ToolHandler handler, ToolMode usual);
  }

  /// A WebAssembly module that answers the calls of a tool. What is null is as usual.
  ///
  /// @param memory bytes that a call has at most
  /// @param timeout how long a call may run
  /// @param environment variables that the module sees
  /// @param function that is called
  /// @param outputLimit bytes of standard output
  public record WasmSettings(
      Path file,
      @Nullable Long memory,
      @Nullable Duration timeout,
      Map<String, String> environment,
      @Nullable String function,
      @Nullable Integer outputLimit) {
    public WasmSettings {
      environment = Map.copyOf(environment);
    }
  }

  /// What runs WebAssembly modules: found as a service, that of the module `wasm`.
  @FunctionalInterface
  public interface WasmConnector {
    /// What answers calls with that module, compiled.
    ///
    /// @throws IllegalArgumentException when it cannot be run, with a sentence that begins with the
    ///   key at fault, such as `memory`
    ToolHandler module(WasmSettings settings);
  }

  /// What connects to MCP servers: found as a service, that of the module `mcp`.
  public interface McpConnector {
    /// The tools of these servers.
    ///
    /// @param environment the value of an environment variable, null where that is not set
    ToolRegistry.Source tools(
        List<McpSettings> servers, Function<String, @Nullable String> environment);
  }
}
