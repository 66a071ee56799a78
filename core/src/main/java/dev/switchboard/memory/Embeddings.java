package dev.switchboard.memory;

import java.util.List;

/// A model that turns texts into vectors, which point the same way where the texts mean alike. The
/// port to providers; [SemanticMemory] searches with it.
///
/// Implementations are safe for use by several threads.
public interface Embeddings {
  /// How alike a text must be to a query to be found by its meaning, unless told.
  double USUAL_SIMILARITY = 0.3;

  /// A vector for each text, in their order. What it throws counts as no answer: the search then
  /// goes by words alone, and what is to be kept waits for the next time.
  List<float[]> of(List<String> texts) throws Exception;

  /// The name that its vectors are kept under, such as `openai:text-embedding-3-small`: vectors of
  /// different models cannot be compared.
  String name();

  /// How alike a text must be to a query to be found by its meaning: the cosine of their vectors, 0
  /// to 1. Models differ in what they give texts that have nothing in common.
  default double leastSimilarity() {
    return USUAL_SIMILARITY;
  }
}
