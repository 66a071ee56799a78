package dev.switchboard.openai;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Embeddings;
import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.provider.Endpoint;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Vectors from OpenAI's embeddings API, or from a compatible server.
///
/// Thread-safe.
public final class OpenAiEmbeddings implements Embeddings {
  private final String provider;
  private final String model;
  private final double leastSimilarity;
  private final Endpoint endpoint;

  private OpenAiEmbeddings(
      String provider, String model, double leastSimilarity, ModelOptions options) {
    if (model.isBlank()) {
      throw new IllegalArgumentException("a model needs a name");
    }
    if (!(leastSimilarity >= 0 && leastSimilarity <= 1)) {
      throw new IllegalArgumentException("the least similarity must lie between 0 and 1");
    }
    this.provider = provider;
    this.model = model;
    this.leastSimilarity = leastSimilarity;
    endpoint = Endpoint.of(name(), OpenAiModel.service("embeddings"), options);
  }

  /// Embeddings of OpenAI's model of that name.
  ///
  /// @param model such as `text-embedding-3-small`
  public static OpenAiEmbeddings of(String model, ApiKey key) {
    return of("openai", model, USUAL_SIMILARITY, ModelOptions.of(key));
  }

  /// Embeddings of the model of that name.
  ///
  /// @param provider its provider's name in messages, such as `ollama`
  /// @param model its name at the server, such as `nomic-embed-text`
  /// @param leastSimilarity the least similarity of a text to the query, 0 to 1
  /// @throws IllegalArgumentException when the name is blank, the base URL is invalid, or the
  ///   similarity is out of range
  public static OpenAiEmbeddings of(
      String provider, String model, double leastSimilarity, ModelOptions options) {
    return new OpenAiEmbeddings(provider, model, leastSimilarity, options);
  }

  /// @throws ModelException when there are none
  @Override
  public List<float[]> of(List<String> texts) {
    ObjectNode body = Codec.object().put("model", model).put("encoding_format", "float");
    texts.forEach(body.putArray("input")::add);
    JsonNode answer = endpoint.ask(Json.of(body));
    if (answer.hasNonNull("error")) {
      throw endpoint.failures().reported(answer);
    }
    if (!answer.has("data")) {
      throw endpoint.failures().misplaced("without data");
    }
    List<float[]> vectors =
        answer
            .path("data")
            .valueStream()
            .sorted(Comparator.comparingInt(item -> item.path("index").asInt(0)))
            .map(item -> numbers(item.path("embedding")))
            .toList();
    if (vectors.size() != texts.size()) {
      throw endpoint
          .failures()
          .broken("sent %d vectors for %d texts.".formatted(vectors.size(), texts.size()));
    }
    return vectors;
  }

  private float[] numbers(JsonNode embedding) {
    float[] numbers = new float[embedding.size()];
    for (int i = 0; i < numbers.length; i++) {
      JsonNode number = embedding.path(i);
      if (!number.isNumber()) {
        throw endpoint.failures().broken("sent a vector that does not consist of numbers.");
      }
      numbers[i] = (float) number.doubleValue();
    }
    return numbers;
  }

  @Override
  public String name() {
    return provider + ":" + model;
  }

  @Override
  public double leastSimilarity() {
    return leastSimilarity;
  }
}
