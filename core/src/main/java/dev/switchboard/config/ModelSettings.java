package dev.switchboard.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The model that an agent talks with.
///
/// @param provider such as `openai`
/// @param name the provider's name of the model
/// @param baseUrl where its service is, null for the provider's own
/// @param apiKeyEnv the environment variable that holds the key, null for the provider's usual one
/// @param temperature the sampling temperature, null for the provider's default
/// @param maxTokens the most tokens of a reply, null for the provider's usual number
public record ModelSettings(
    String provider,
    String name,
    @Nullable String baseUrl,
    @Nullable String apiKeyEnv,
    @Nullable Double temperature,
    @Nullable Integer maxTokens) {
  /// The providers that there are.
  public static final List<String> PROVIDERS =
      List.of("anthropic", "gemini", "groq", "ollama", "openai");

  /// Settings with the provider's default temperature and token limit.
  public ModelSettings(
      String provider, String name, @Nullable String baseUrl, @Nullable String apiKeyEnv) {
    this(provider, name, baseUrl, apiKeyEnv, null, null);
  }

  /// These settings with that temperature and token limit.
  ModelSettings with(@Nullable Double temperature, @Nullable Integer maxTokens) {
    return new ModelSettings(provider, name, baseUrl, apiKeyEnv, temperature, maxTokens);
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
