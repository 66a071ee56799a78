package dev.switchboard.config;

import org.jspecify.annotations.Nullable;

/// The model that an agent talks with.
///
/// @param provider such as `openai`
/// @param name the provider's name of the model
/// @param baseUrl where its service is, null for the provider's own
/// @param apiKeyEnv the environment variable that holds the key, null for the provider's usual one
public record ModelSettings(
    String provider, String name, @Nullable String baseUrl, @Nullable String apiKeyEnv) {}
