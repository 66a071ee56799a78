package dev.switchboard.config;

import dev.switchboard.agent.AgentLimits;
import dev.switchboard.builtin.BuiltInTools;
import dev.switchboard.execution.ToolExecutorBuilder;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Embeddings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The reading of the table `agent`.
final class AgentSection {
  /// The most round trips of a turn that make sense.
  private static final int MOST_ITERATIONS = 1000;

  private static final int MOST_MESSAGES = 2000;

  private static final List<String> PENDING = List.of("refuse", "deny");

  private final Section section;

  AgentSection(Section section) {
    this.section = section;
  }

  AgentSettings settings(String fileName) {
    String name = section.filledText("name");
    return new AgentSettings(
        name == null ? fileName : name,
        section.text("system_prompt"),
        model(),
        embeddings(),
        limits(),
        consentTimeout(),
        section.text("first_message"),
        variables(),
        guardrails(),
        "deny".equals(section.word("pending", PENDING)),
        section.flag("expose_errors"),
        toolNames());
  }

  Defaults defaults() {
    Section table = section.section("defaults", Keys.DEFAULTS);
    if (table == null) {
      return Defaults.NONE;
    }
    Defaults defaults =
        new Defaults(table.section("retry", Keys.RETRY), table.section("breaker", Keys.BREAKER));
    defaults.check();
    return defaults;
  }

  /// The names in `tools`, null where they are left out.
  @Nullable List<String> toolNames() {
    return section.has("tools") ? section.texts("tools") : null;
  }

  /// Checks the names in `tools`.
  ///
  /// @param unknown the severity of a name that no tool is known by; null where all of them may be
  ///   made in Java
  void checkTools(Collection<String> known, @Nullable Severity unknown) {
    Value list = section.value("tools");
    Set<String> seen = new HashSet<>();
    for (Value item : list == null ? List.<Value>of() : list.items()) {
      String name = item.filledText();
      if (name != null && !seen.add(name)) {
        item.bad("names '" + name + "' a second time");
      } else if (name != null && !BuiltInTools.NAMES.contains(name)) {
        checkTool(item.place(), name, known, unknown);
      }
    }
  }

  private static void checkTool(
      Place place, String name, Collection<String> known, @Nullable Severity unknown) {
    if (unknown == null) {
      String hint = Suggestion.of(name, BuiltInTools.NAMES);
      if (!hint.isEmpty()) {
        String sentence = "agent.tools names '" + name + "', which is not a built-in tool";
        place.warning(FaultClass.UNKNOWN_TOOL, sentence + hint);
      }
    } else if (!known.contains(name)) {
      List<String> all = new ArrayList<>(known);
      all.addAll(BuiltInTools.NAMES);
      String why =
          unknown == Severity.ERROR
              ? "which no tool has"
              : "which no tool of the file has: it has to be made in Java";
      String sentence = "agent.tools names '" + name + "', " + why;
      place.report(unknown, FaultClass.UNKNOWN_TOOL, sentence + Suggestion.of(name, all));
    }
  }

  /// The built-in tools that the agent has: those that it names and that no tool of its own is
  /// named like.
  List<String> builtIns(Collection<String> known) {
    return section.has("tools")
        ? section.texts("tools").stream()
            .filter(name -> BuiltInTools.NAMES.contains(name) && !known.contains(name))
            .distinct()
            .toList()
        : List.of();
  }

  RuleList rules() {
    return RuleList.read(section.value("tool_rules"));
  }

  /// The blocks of memory that the agent begins with.
  List<Block> blocks(String agent) {
    return MemorySection.read(section.value("memory"), agent);
  }

  private @Nullable ModelSettings model() {
    Value value = section.value("model");
    if (value == null) {
      return null;
    }
    Section table = table(value, Keys.MODEL);
    ModelSettings model = model(value, table, ModelSettings.PROVIDERS, "openai:gpt-4.1-mini");
    if (table == null) {
      return model;
    }
    Double temperature = table.number("temperature", 0, 2);
    Integer maxTokens = table.whole("max_tokens", 1, Integer.MAX_VALUE);
    return model == null ? null : model.with(temperature, maxTokens);
  }

  private @Nullable EmbeddingSettings embeddings() {
    Value value = section.value("embeddings");
    if (value == null) {
      return null;
    }
    Section table = table(value, Keys.EMBEDDINGS);
    ModelSettings model =
        model(value, table, EmbeddingSettings.PROVIDERS, "openai:text-embedding-3-small");
    Double least = table == null ? null : table.number("least_similarity", 0, 1);
    return model == null
        ? null
        : new EmbeddingSettings(model, least == null ? Embeddings.USUAL_SIMILARITY : least);
  }

  /// A model's long form; null where it has the short one.
  private static @Nullable Section table(Value value, Keys keys) {
    return value.node().isString() ? null : value.section(keys);
  }

  private static @Nullable ModelSettings model(
      Value value, @Nullable Section table, List<String> providers, String example) {
    ModelSettings model =
        value.node().isString()
            ? shortModel(value, example)
            : table == null ? null : fullModel(table);
    if (model != null && !providers.contains(model.provider())) {
      String fault = ModelSettings.unknownProvider(model.provider(), providers);
      value.place().error(FaultClass.BAD_VALUE, fault);
    }
    return model;
  }

  private static @Nullable ModelSettings shortModel(Value value, String example) {
    String text = value.node().stringValue();
    try {
      return ModelSettings.of(text);
    } catch (IllegalArgumentException e) {
      value.bad("must be provider:name, such as \"" + example + "\"");
      return null;
    }
  }

  private static @Nullable ModelSettings fullModel(Section table) {
    String provider = required(table, "provider");
    String name = required(table, "name");
    String baseUrl = baseUrl(table.value("base_url"));
    String apiKeyEnv = table.filledText("api_key_env");
    return provider == null || name == null
        ? null
        : new ModelSettings(provider, name, baseUrl, apiKeyEnv);
  }

  private static @Nullable String required(Section table, String key) {
    if (!table.has(key)) {
      table.place().error(FaultClass.BAD_VALUE, table.place().path() + " needs '" + key + "'");
    }
    return table.filledText(key);
  }

  private static @Nullable String baseUrl(@Nullable Value value) {
    String url = value == null ? null : value.text();
    if (value == null || url == null || url.matches("https?://[^\\s/].*")) {
      return url;
    }
    value.bad("must be an http or https URL");
    return null;
  }

  private AgentLimits limits() {
    AgentLimits limits = AgentLimits.DEFAULT;
    Section table = section.section("limits", Keys.LIMITS);
    if (table == null) {
      return limits;
    }
    Integer iterations = table.whole("iterations", 1, MOST_ITERATIONS);
    Duration timeout = table.positiveDuration("model_timeout");
    Integer history = table.whole("history", 1, MOST_MESSAGES);
    return new AgentLimits(
        iterations == null ? limits.iterations() : iterations,
        timeout == null ? limits.modelTimeout() : timeout,
        history == null ? limits.history() : history);
  }

  private Duration consentTimeout() {
    Section table = section.section("limits", Keys.LIMITS);
    Duration told = table == null ? null : table.positiveDuration("consent_timeout");
    return told == null ? ToolExecutorBuilder.DEFAULT_CONSENT_TIMEOUT : told;
  }

  private Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    Value table = section.value("variables");
    if (table != null) {
      for (Value.Member member : table.members()) {
        String text = member.value().scalarText();
        if (text != null) {
          variables.put(member.key(), text);
        }
      }
    }
    return variables;
  }

  private List<String> guardrails() {
    Value value = section.value("guardrails");
    if (value == null) {
      return List.of();
    }
    value.place().warning(FaultClass.NOT_YET, "guardrails are not built yet: these do nothing");
    return value.texts();
  }
}
