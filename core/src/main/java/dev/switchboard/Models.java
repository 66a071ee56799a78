package dev.switchboard;

import dev.switchboard.anthropic.AnthropicModel;
import dev.switchboard.config.AgentFile.EmbeddingSettings;
import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.memory.Embeddings;
import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.openai.OpenAiEmbeddings;
import dev.switchboard.openai.OpenAiModel;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Creates models from their settings: client, address and key.
///
/// @param environment the environment variables by name, null for one that is not set
/// @param patience how long an agent waits for a reply, for which its clients wait too
record Models(Function<String, @Nullable String> environment, Duration patience) {
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Duration LONGEST_REQUEST = Duration.ofMinutes(5);

  /// Models whose clients wait as long as usual.
  Models(Function<String, @Nullable String> environment) {
    this(environment, Duration.ZERO);
  }

  /// OpenAI-compatible services: their addresses, and the variables of their keys.
  private static final Map<String, Service> COMPATIBLE =
      Map.of(
          "ollama", new Service("http://localhost:11434/v1", null),
          "groq", new Service("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
          "gemini",
              new Service(
                  "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"));

  /// @param keyVariable null if the service needs no key
  private record Service(@Nullable String baseUrl, @Nullable String keyVariable) {}

  /// @throws IllegalArgumentException when the provider is unknown or its key is missing, with the
  ///   remedy
  ChatModel of(ModelSettings settings) {
    if (settings.provider().equals(KeylessModel.PROVIDER)) {
      return new KeylessModel(settings.name());
    }
    return settings.provider().equals("anthropic")
        ? AnthropicModel.of(settings.name(), options(settings))
        : OpenAiModel.of(settings.provider(), settings.name(), options(settings));
  }

  /// @throws IllegalArgumentException when the provider has no embeddings or its key is missing,
  ///   with the remedy
  Embeddings of(EmbeddingSettings settings) {
    ModelSettings model = settings.model();
    if (!EmbeddingSettings.PROVIDERS.contains(model.provider())) {
      throw new IllegalArgumentException(
          "%s has no embeddings: use %s"
              .formatted(model.provider(), String.join(", ", EmbeddingSettings.PROVIDERS)));
    }
    return OpenAiEmbeddings.of(
        model.provider(), model.name(), settings.leastSimilarity(), options(model));
  }

  private static Service service(ModelSettings settings) {
    return switch (settings.provider()) {
      case "openai" -> new Service(null, OpenAiModel.KEY_VARIABLE);
      case "anthropic" -> new Service(null, AnthropicModel.KEY_VARIABLE);
      case String other -> {
        Service known = COMPATIBLE.get(other);
        if (known == null) {
          throw new IllegalArgumentException(ModelSettings.unknownProvider(other));
        }
        yield known;
      }
    };
  }

  ModelOptions options(ModelSettings settings) {
    Service service = service(settings);
    ModelOptions.Builder options =
        settings
            .clientOptions()
            .baseUrl(settings.baseUrl() == null ? service.baseUrl : settings.baseUrl())
            .key(key(settings, service))
            .idleLimit(longer(patience, LONGEST_SILENCE))
            .totalLimit(longer(patience, LONGEST_REQUEST));
    return options.build();
  }

  private static Duration longer(Duration one, Duration other) {
    Duration most = one.compareTo(LONGEST) < 0 ? one : LONGEST;
    return most.compareTo(other) > 0 ? most : other;
  }

  /// The user's own service gets a key only if its variable is named: the provider's key is for the
  /// provider.
  private @Nullable ApiKey key(ModelSettings settings, Service service) {
    String usual = settings.baseUrl() == null ? service.keyVariable : null;
    String variable = settings.apiKeyEnv() == null ? usual : settings.apiKeyEnv();
    if (variable == null) {
      return null;
    }
    String key = environment.apply(variable);
    if (key != null && !key.isBlank()) {
      return ApiKey.of(key, variable);
    }
    throw new IllegalArgumentException(
        "model %s:%s needs a key: set the environment variable %s, or name another with api_key_env"
            .formatted(settings.provider(), settings.name(), variable));
  }
}
