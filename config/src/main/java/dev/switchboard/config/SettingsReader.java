package dev.switchboard.config;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.agent.AgentLimits;
import dev.switchboard.anthropic.AnthropicModel;
import dev.switchboard.config.AgentFile.AgentSettings;
import dev.switchboard.config.AgentFile.EmbeddingSettings;
import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Embeddings;
import dev.switchboard.memory.Memory;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.openai.OpenAiModel;
import dev.switchboard.provider.ModelNames;
import dev.switchboard.provider.Provider;
import dev.switchboard.text.Placeholders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the table `agent` of a file, except tools and rules.
final class SettingsReader {
  private final AgentToml.Agent agent;

  /// The variables that phone calls have.
  private static final List<String> OF_CALLS =
      List.of("caller", "callee", "call_id", "direction", "now");

  private final MemoryReader memory;
  private final Path folder;

  /// @param memory reads its memory
  /// @param folder the base of file names
  SettingsReader(AgentToml.Agent agent, MemoryReader memory, Path folder) {
    this.agent = agent;
    this.memory = memory;
    this.folder = folder;
  }

  /// @param fileName the name of an agent that states none
  /// @param secretNames the environment variables whose values must not leave the process
  AgentSettings settings(String fileName, List<String> secretNames) {
    AgentToml.Limits limits = agent.limits();
    Map<String, String> variables = variables();
    warnOfUnknown("system_prompt", agent.systemPrompt(), variables);
    warnOfUnknown("first_message", agent.firstMessage(), variables);
    Duration consent = limits == null ? null : limits.consentTimeout();
    String name = requireNonNullElse(agent.name(), fileName);
    ModelSettings model = model(agent.model());
    List<ModelSettings> fallbacks = fallbacks();
    BudgetReader budget = new BudgetReader(agent);
    return new AgentSettings(
        name,
        agent.systemPrompt(),
        model,
        fallbacks,
        reply(),
        embeddings(agent.embeddings()),
        limits == null ? AgentLimits.DEFAULT : limits(limits, AgentLimits.DEFAULT),
        budget.budget(Stream.concat(Stream.ofNullable(model), fallbacks.stream()).toList()),
        budget.prices(),
        consent,
        agent.firstMessage(),
        variables,
        GuardrailReader.read(agent.guardrails(), agent.model() != null),
        secretNames,
        agent.pending() == AgentToml.Pending.DENY,
        agent.consent() == AgentToml.Consent.APPROVER,
        sharedOverMcp(),
        new Memory.Ownership(
            requireNonNullElse(agent.memoryScope(), Memory.Scope.PRINCIPAL),
            memory.blocksForAll(),
            memory.shares(name)),
        agent.exposeErrors(),
        agent.at().has("tools") ? agent.tools() : null);
  }

  private static AgentLimits limits(AgentToml.Limits stated, AgentLimits usual) {
    return new AgentLimits(
        requireNonNullElse(stated.iterations(), usual.iterations()),
        stated.modelTimeout(),
        requireNonNullElse(stated.history(), usual.history()));
  }

  /// Warns of each placeholder that no variable fills, unless the host does.
  private void warnOfUnknown(String key, @Nullable String text, Map<String, String> variables) {
    Set<String> known = new LinkedHashSet<>(variables.keySet());
    known.addAll(OF_CALLS);
    Value at = agent.at().member(key);
    for (String name : text == null ? Set.<String>of() : Placeholders.in(text)) {
      if (!known.contains(name)) {
        at.warning(
            FaultClass.UNKNOWN_VARIABLE,
            "agent.%s has {%s}, which is not in agent.variables: it stays as it is, unless the"
                    .formatted(key, name)
                + " host of the conversation states it"
                + at.closest(name, known));
      }
    }
  }

  private Set<String> sharedOverMcp() {
    AgentToml.McpServer server = agent.mcpServer();
    return server == null
        ? Set.of()
        : server.share().stream()
            .map(part -> part.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
  }

  private Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    agent
        .variables()
        .forEach((name, value) -> {
          String text = value.scalarText();
          String fault = Placeholders.faultOfName(name);
          if (fault != null) {
            value.bad(fault);
          } else if (text != null) {
            variables.put(name, text);
          }
        });
    return variables;
  }

  private static @Nullable ModelSettings model(@Nullable Value value) {
    AgentToml.Model table = value == null ? null : longForm(value, AgentToml.Model.class);
    ModelSettings model = value == null ? null : common(value, table, ModelSettings.PROVIDERS);
    if (value == null || table == null || model == null) {
      return model;
    }
    ModelSettings full =
        new ModelSettings(
            model.provider(),
            model.name(),
            model.baseUrl(),
            model.apiKeyEnv(),
            table.temperature(),
            table.maxTokens(),
            reasoning(table.reasoning()),
            options(table.options()),
            requireNonNullElse(table.cache(), true),
            table.structured(),
            Boolean.TRUE.equals(table.thinksFirst()),
            table.api(),
            table.window());
    check(value, full);
    return full;
  }

  private static @Nullable String reasoning(@Nullable Value value) {
    String text = value == null ? null : value.scalarText();
    if (value == null || text == null || text.matches("[a-z_]{1,20}|[1-9][0-9]{0,6}")) {
      return text;
    }
    value.bad("must be a word such as \"low\", or a number of tokens");
    return null;
  }

  private static Json options(@Nullable Value value) {
    boolean isTable = value != null && value.is(value.node().isObject(), "a table");
    Json options = value == null || !isTable ? Json.EMPTY_OBJECT : Json.of(value.node());
    if (value == null || options.isReadableObject()) {
      return options;
    }
    value.bad("must be a table that nests no deeper than others, with numbers of usual size");
    return Json.EMPTY_OBJECT;
  }

  /// Reports options that the provider's client does not accept.
  private static void check(Value value, ModelSettings model) {
    Provider provider = Provider.of(model.provider());
    if (provider == null) {
      return; // reported
    }
    String url = model.baseUrl() == null ? provider.baseUrl() : model.baseUrl();
    ModelOptions options;
    try {
      options = model.clientOptions().baseUrl(url).build();
    } catch (IllegalArgumentException e) {
      return; // reported at its position
    }
    ModelOptions.Misuse misuse =
        switch (provider.api()) {
          case CHAT, NONE -> OpenAiModel.misuse(options);
          case MESSAGES -> AnthropicModel.misuse(options);
        };
    if (misuse != null) {
      Value at = value;
      for (String step : misuse.key().split("\\.", -1)) {
        at = at.member(step);
      }
      at.bad(misuse.why());
    }
    if (provider.api() == Provider.Api.MESSAGES && value.has("api")) {
      value.member("api").bad("is for other models: anthropic has one API");
    }
    if (provider.api() == Provider.Api.MESSAGES && value.has("thinks_first")) {
      value.member("thinks_first").bad("is for other models: anthropic marks thoughts itself");
    }
    if (provider.api() != Provider.Api.MESSAGES && value.has("cache")) {
      value.member("cache").bad("is for models of anthropic: other providers keep what they like");
    }
  }

  private List<ModelSettings> fallbacks() {
    List<ModelSettings> models = new ArrayList<>();
    for (Value one : agent.fallback()) {
      ModelSettings model = model(one);
      if (model != null) {
        models.add(model);
      }
    }
    if (!agent.fallback().isEmpty() && agent.model() == null) {
      agent.at().member("fallback").bad("needs a 'model' in whose place these are asked");
    }
    return models;
  }

  private @Nullable Json reply() {
    Value file = agent.replyFile();
    if (agent.reply() != null && file != null) {
      file.error(FaultClass.TOOL_DEFINITION, "agent has both 'reply' and 'reply_file'");
    }
    SchemaText reply = SchemaText.of(agent.reply(), file, folder);
    return reply == null || !reply.isReply() ? null : reply.json();
  }

  private static @Nullable EmbeddingSettings embeddings(@Nullable Value value) {
    AgentToml.Embeddings table = value == null ? null : longForm(value, AgentToml.Embeddings.class);
    ModelSettings model = value == null ? null : common(value, table, EmbeddingSettings.PROVIDERS);
    Double least = table == null ? null : table.leastSimilarity();
    return model == null
        ? null
        : new EmbeddingSettings(model, requireNonNullElse(least, Embeddings.USUAL_SIMILARITY));
  }

  private static <T> @Nullable T longForm(Value value, Class<T> type) {
    return value.isString() ? null : Binder.bind(value, type);
  }

  /// The model, stated as a text or a table; null if it is invalid.
  private static @Nullable ModelSettings common(
      Value value, AgentToml.@Nullable ModelTable table, List<String> providers) {
    ModelSettings model =
        value.isString() ? inAWord(value) : table == null ? null : inATable(table);
    if (model != null && !providers.contains(model.provider())) {
      value.error(FaultClass.BAD_VALUE, ModelSettings.unknownProvider(model.provider(), providers));
    }
    return model;
  }

  private static @Nullable ModelSettings inAWord(Value value) {
    try {
      return ModelSettings.of(value.node().stringValue());
    } catch (IllegalArgumentException e) {
      boolean ofMemory = value.path().endsWith("embeddings");
      String name = ofMemory ? ModelNames.EMBEDDINGS : ModelNames.OPENAI;
      value.bad("must be provider:name, such as \"openai:" + name + "\"");
      return null;
    }
  }

  private static @Nullable ModelSettings inATable(AgentToml.ModelTable table) {
    String url = baseUrl(table.baseUrl());
    return table.provider() == null || table.name() == null
        ? null
        : new ModelSettings(table.provider(), table.name(), url, table.apiKeyEnv());
  }

  private static @Nullable String baseUrl(@Nullable Value value) {
    String url = value == null ? null : value.text();
    if (value == null || url == null || url.matches("https?://[^\\s/].*")) {
      return url;
    }
    value.bad("must be an http or https URL");
    return null;
  }
}
