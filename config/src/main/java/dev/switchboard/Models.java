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
import dev.switchboard.provider.Provider;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Creates models from their settings: client, address and key.
///
/// @param environment the environment variables by name, null for one that is not set
/// @param patience how long an agent lets a model be silent, as do its clients; null for the usual
///   time
record Models(Function<String, @Nullable String> environment, @Nullable Duration patience) {
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Duration LONGEST_REQUEST = Duration.ofMinutes(5);

  Models {
    patience = patience == null || patience.compareTo(LONGEST) < 0 ? patience : LONGEST;
  }

  /// Models whose clients wait as long as usual.
  Models(Function<String, @Nullable String> environment) {
    this(environment, null);
  }

  /// @throws IllegalArgumentException when the provider is unknown or its key is missing, with the
  ///   remedy
  ChatModel of(ModelSettings settings) {
    return switch (provider(settings).api()) {
      case CHAT -> OpenAiModel.of(settings.provider(), settings.name(), options(settings));
      case MESSAGES -> AnthropicModel.of(settings.name(), options(settings));
      case NONE -> new KeylessModel(settings.name());
    };
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

  private static Provider provider(ModelSettings settings) {
    Provider provider = Provider.of(settings.provider());
    if (provider == null) {
      throw new IllegalArgumentException(ModelSettings.unknownProvider(settings.provider()));
    }
    return provider;
  }

  ModelOptions options(ModelSettings settings) {
    Provider provider = provider(settings);
    ModelOptions.Builder options =
        settings
            .clientOptions()
            .baseUrl(settings.baseUrl() == null ? provider.baseUrl() : settings.baseUrl())
            .key(key(settings, provider));
    if (patience != null) {
      options
          .idleLimit(patience)
          .totalLimit(patience.compareTo(LONGEST_REQUEST) > 0 ? patience : LONGEST_REQUEST);
    }
    return options.build();
  }

  /// The user's own service gets a key only if its variable is named: the provider's key is for the
  /// provider.
  private @Nullable ApiKey key(ModelSettings settings, Provider provider) {
    String usual = settings.baseUrl() == null ? provider.keyVariable() : null;
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
