package dev.switchboard.memory;

import java.util.List;

/// A model that turns texts into vectors, which point in similar directions for texts of similar
/// meaning; [SemanticMemory] searches with it.
///
/// Implementations are thread-safe.
public interface Embeddings {
  /// The default least similarity of a text that is found by its meaning.
  double USUAL_SIMILARITY = 0.3;

  /// A vector for each text, in their order. An exception counts as no answer: the search then uses
  /// words only, and new entries wait for the next time.
  List<float[]> of(List<String> texts) throws Exception;

  /// The name under which its vectors are stored, such as `openai:text-embedding-3-small`: vectors
  /// of different models cannot be compared.
  String name();

  /// The least similarity of a text that is found by its meaning: the cosine of its and the query's
  /// vectors, 0 to 1. Models differ in the similarity of unrelated texts.
  default double leastSimilarity() {
    return USUAL_SIMILARITY;
  }
}
