package dev.switchboard.config;

import java.util.List;

/// The model whose vectors an agent's memory is searched with.
///
/// @param model where it is and what it is called
/// @param leastSimilarity how alike a text must be to a query to be found, 0 to 1
public record EmbeddingSettings(ModelSettings model, double leastSimilarity) {
  /// The providers that have embeddings.
  public static final List<String> PROVIDERS = List.of("gemini", "ollama", "openai");
}
