package dev.switchboard.memory;

import java.util.List;

/// An embedding model: it converts texts to vectors, which are similar for texts of similar
/// meaning. [SemanticMemory] searches with it.
///
/// Implementations are thread-safe.
public interface Embeddings {
  /// The default least similarity of a text to the query.
  double USUAL_SIMILARITY = 0.3;

  /// A vector for each text, in their order. If it throws, the search uses words only, and new
  /// entries are embedded later.
  List<float[]> of(List<String> texts) throws Exception;

  /// The name under which its vectors are stored, such as `openai:text-embedding-3-small`. Vectors
  /// of different models cannot be compared.
  String name();

  /// The least similarity of a text to the query: the cosine of their vectors, 0 to 1. Models
  /// differ in the similarity of unrelated texts.
  default double leastSimilarity() {
    return USUAL_SIMILARITY;
  }
}
