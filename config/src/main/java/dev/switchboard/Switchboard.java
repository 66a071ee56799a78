package dev.switchboard;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.builtin.BuiltInTools;
import dev.switchboard.config.AgentFile;
import dev.switchboard.config.AgentFile.AgentSettings;
import dev.switchboard.config.AgentFile.EmbeddingSettings;
import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.config.ConfigException;
import dev.switchboard.execution.StoreException;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutorBuilder;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.handler.Tools;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Embeddings;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.memory.SemanticMemory;
import dev.switchboard.memory.VectorStore;
import dev.switchboard.model.ChatModel;
import dev.switchboard.observe.AuditLog;
import dev.switchboard.provider.ModelNames;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.store.Storage;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The entry point: it creates executors, agents and models, also from an agent's file. The only
/// place that wires the parts.
public final class Switchboard {
  private Switchboard() {}

  /// The executor of the tools in that file and of these made in Java. Their memory is in the
  /// file's storage, which stays open until the process ends; to close it earlier, open it with
  /// [#storage] for [#executor(AgentFile, MemoryStore)].
  ///
  /// @throws ConfigException with every fault, if one of them is an error
  /// @throws IllegalArgumentException when the key of its embeddings is missing
  /// @throws StoreException when the storage cannot be opened
  public static ToolExecutor load(Path file, Tool... more) {
    return load(file, List.of(more));
  }

  /// As [#load(Path, Tool...)], with a list of tools, such as that of [Tools#of].
  public static ToolExecutor load(Path file, List<Tool> more) {
    AgentFile read = AgentFile.read(file, more);
    Storage storage = storage(file, read);
    return closedAfterFault(
        storage,
        () -> {
          VectorStore kept = storage == null ? new InProcessMemory() : storage.memory();
          return executor(read, memory(read, kept)).build();
        });
  }

  /// What the work makes; the storage is closed if that fails.
  private static <T> T closedAfterFault(@Nullable Storage storage, Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException | Error e) {
      try {
        if (storage != null) {
          storage.close();
        }
      } catch (RuntimeException unclosed) {
        e.addSuppressed(unclosed);
      }
      throw e;
    }
  }

  /// The open storage of that file, for conversations and memory; null if the file names none. A
  /// relative path is resolved against the file's folder.
  ///
  /// @throws StoreException when it cannot be opened
  public static @Nullable Storage storage(Path file, AgentFile agent) {
    String url = agent.storage();
    Path folder = file.getParent();
    if (url == null) {
      return null;
    }
    Path place = folder == null ? Path.of("") : folder;
    return agent.cluster() == null ? Storage.open(url, place) : Storage.shared(url, place);
  }

  /// The clock of that file's agent: the storage's if processes on several machines share it,
  /// otherwise this machine's.
  ///
  /// @throws StoreException when the storage cannot be read
  public static Time time(AgentFile agent, @Nullable Storage storage) {
    return agent.cluster() == null || storage == null ? Time.SYSTEM : storage.time();
  }

  /// A builder of an agent of that name.
  ///
  /// @throws IllegalArgumentException when the name is a path, since no file is read
  public static AgentBuilder agent(String name) {
    if (name.endsWith(".toml")) {
      throw new IllegalArgumentException(
          "'%1$s' is the name of a file: Switchboard.agent(Path.of(\"%1$s\")) reads it"
              .formatted(name));
    }
    return Agent.builder(name);
  }

  /// The agent of that file, with its model, its storage, and these tools made in Java beside the
  /// file's. Closing the agent closes its storage.
  ///
  /// @throws ConfigException with every fault, if one of them is an error
  /// @throws IllegalArgumentException when the file names no model, or its key is missing
  /// @throws StoreException when the storage cannot be opened
  public static Agent agent(Path file, Tool... more) {
    return agent(file, List.of(more));
  }

  /// As [#agent(Path, Tool...)], with a list of tools, such as that of [Tools#of].
  public static Agent agent(Path file, List<Tool> more) {
    AgentFile read = AgentFile.read(file, more);
    ModelSettings model = read.agent().model();
    if (model == null) {
      throw new IllegalArgumentException(
          file
              + " names no model: add model = \"openai:"
              + ModelNames.OPENAI
              + "\" to its [agent] table");
    }
    AgentBuilder agent = agent(read).model(model(model, read)).fallback(fallbacks(read));
    Storage storage = storage(file, read);
    return storage == null
        ? agent.memory(memory(read, new InProcessMemory())).build()
        : closedAfterFault(storage, () -> built(agent, read, storage));
  }

  private static Agent built(AgentBuilder agent, AgentFile read, Storage storage) {
    MemoryStore memory = memory(read, storage.memory());
    return agent
        .store(storage.conversations(read.agent().name()))
        .memory(memory)
        .time(time(read, storage))
        .onClose(() -> {
          memory.close();
          storage.close();
        })
        .build();
  }

  /// The fallback models of that file, in order.
  ///
  /// @throws IllegalArgumentException when the key of one is missing, with the remedy
  public static ChatModel[] fallbacks(AgentFile agent) {
    return agent.agent().fallbacks().stream()
        .map(settings -> model(settings, agent))
        .toArray(ChatModel[]::new);
  }

  /// The memory of that store, searched also by meaning if the file names embeddings. Closing it
  /// closes the store.
  ///
  /// @throws IllegalArgumentException when the key of the embeddings is missing, with the remedy
  public static MemoryStore memory(AgentFile agent, VectorStore store) {
    EmbeddingSettings embeddings = agent.agent().embeddings();
    return embeddings == null
        ? store
        : SemanticMemory.of(store, embeddings(embeddings, agent.environment()));
  }

  /// The embeddings of those settings.
  ///
  /// @throws IllegalArgumentException when the provider has none or the key is missing, with the
  ///   remedy
  public static Embeddings embeddings(EmbeddingSettings settings) {
    return embeddings(settings, System::getenv);
  }

  /// The embeddings of those settings, with that function for environment variables.
  ///
  /// @throws IllegalArgumentException when the provider has none or the key is missing, with the
  ///   remedy
  public static Embeddings embeddings(
      EmbeddingSettings settings, Function<String, @Nullable String> environment) {
    return new Models(environment).of(settings);
  }

  /// A builder of the agent that a file describes, still without a model and a store.
  public static AgentBuilder agent(AgentFile file) {
    AgentSettings settings = file.agent();
    AgentBuilder agent =
        Agent.builder(settings.name())
            .tools(file.tools())
            .rules(file.rules())
            .guardrails(settings.guardrails(), secrets(file))
            .variables(settings.variables())
            .limits(settings.limits())
            .budget(settings.budget())
            .prices(settings.prices())
            .denyPending(settings.denyPending())
            .asksApprover(settings.asksApprover())
            .shareOverMcp(settings.sharedOverMcp())
            .exposeErrors(settings.exposeErrors())
            .defaults(file.defaults())
            .blocks(file.blocks())
            .blocksForAll(settings.memory().blocksForAll())
            .sharedBlocks(settings.memory().shares())
            .memoryScope(settings.memory().scope())
            .builtIns(file.builtIns().toArray(String[]::new));
    if (settings.consentTimeout() != null) {
      agent.consentTimeout(settings.consentTimeout());
    }
    String prompt = settings.systemPrompt();
    if (prompt != null) {
      agent.prompt(prompt);
    }
    Json reply = settings.reply();
    if (reply != null) {
      agent.reply(reply);
    }
    if (file.audit() != null) {
      agent.listener(AuditLog.to(file.audit()));
    }
    sources(file).forEach(agent::tools);
    String first = settings.firstMessage();
    return first == null ? agent : agent.firstMessage(first);
  }

  /// The model of that name, `provider:name`, such as `openai:gpt-6-luna`, with the key in the
  /// provider's usual environment variable.
  ///
  /// @throws IllegalArgumentException when the provider is unknown or the key is missing, with the
  ///   remedy
  public static ChatModel model(String name) {
    return model(ModelSettings.of(name));
  }

  /// The model of those settings.
  ///
  /// @throws IllegalArgumentException when the provider is unknown or the key is missing, with the
  ///   remedy
  public static ChatModel model(ModelSettings settings) {
    return model(settings, System::getenv);
  }

  /// The model of those settings for the agent of that file, whose variables have its key, and
  /// whose `limits.model_timeout` its client keeps to.
  ///
  /// @throws IllegalArgumentException when the provider is unknown or the key is missing, with the
  ///   remedy
  public static ChatModel model(ModelSettings settings, AgentFile agent) {
    return new Models(agent.environment(), agent.agent().limits().modelTimeout()).of(settings);
  }

  /// The model of those settings, with that function for environment variables.
  ///
  /// @throws IllegalArgumentException when the provider is unknown or the key is missing, with the
  ///   remedy
  public static ChatModel model(
      ModelSettings settings, Function<String, @Nullable String> environment) {
    return new Models(environment).of(settings);
  }

  /// A builder of an executor of the agent's tools, with memory in this process.
  public static ToolExecutorBuilder executor(AgentFile agent) {
    return executor(agent, new InProcessMemory());
  }

  /// A builder of an executor of the agent's tools, with that memory.
  public static ToolExecutorBuilder executor(AgentFile agent, MemoryStore store) {
    MemoryStore memory = MemoryStore.withShares(store, agent.agent().memory().shares());
    Memory.begin(memory, agent.blocks());
    ToolExecutorBuilder executor = ToolExecutor.builder();
    if (agent.audit() != null) {
      executor.listener(AuditLog.to(agent.audit()));
    }
    sources(agent).forEach(executor::tools);
    if (agent.agent().consentTimeout() != null) {
      executor.consentTimeout(agent.agent().consentTimeout());
    }
    return executor
        .tools(agent.tools())
        .tools(BuiltInTools.of(agent.builtIns(), List.of(), List.of(MessageRouter.Target.USER)))
        .services(services(agent, memory))
        .guardrails(agent.agent().guardrails(), secrets(agent))
        .rules(agent.rules())
        .defaults(agent.defaults())
        .exposeErrors(agent.agent().exposeErrors());
  }

  /// With a model if a guardrail asks one.
  private static Services services(AgentFile agent, MemoryStore memory) {
    Services services =
        Services.of(agent.agent().name(), memory, Time.SYSTEM)
            .withScope(agent.agent().memory().scope());
    ModelSettings model = agent.agent().model();
    boolean asks =
        agent.agent().guardrails().stream()
            .anyMatch(rail -> rail.check() instanceof Guardrail.Question);
    return asks && model != null ? services.withModel(model(model, agent.environment())) : services;
  }

  /// The values of the file's variables that must not leave the process.
  private static List<String> secrets(AgentFile file) {
    return file.agent().secretNames().stream()
        .flatMap(name -> Stream.ofNullable(file.environment().apply(name)))
        .filter(value -> !value.isBlank())
        .toList();
  }

  /// What adds tools while the agent runs; the names in the file's list of tools are expected of
  /// it.
  private static List<ToolRegistry.Source> sources(AgentFile file) {
    List<String> names = file.agent().toolNames();
    List<ToolRegistry.Source> sources = file.sources().get();
    if (names == null) {
      return sources;
    }
    List<String> expected =
        names.stream().filter(name -> !BuiltInTools.NAMES.contains(name)).toList();
    return sources.stream()
        .<ToolRegistry.Source>map(source -> new Expecting(source, expected))
        .toList();
  }

  private record Expecting(ToolRegistry.Source source, List<String> names)
      implements ToolRegistry.Source {
    @Override
    public void start(ToolRegistry tools, ToolDefaults defaults, Services services) {
      tools.expect(names);
      source.start(tools, defaults, services);
    }

    @Override
    public List<State> states() {
      return source.states();
    }

    @Override
    public void close() {
      source.close();
    }
  }
}
