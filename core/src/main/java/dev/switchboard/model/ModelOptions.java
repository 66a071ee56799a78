package dev.switchboard.model;

import dev.switchboard.http.HttpRequest;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How a provider's model is reached and asked.
///
/// @param key null for a server that needs none
/// @param baseUrl where the service is, null for the provider's own
/// @param temperature null for the provider's usual one
/// @param maxTokens the most that a reply may be long, null for the provider's usual length
/// @param idleLimit how long the service may be silent, before its first word too
/// @param totalLimit how long a reply may take in all
/// @param headers sent beside the usual ones, in whose place they stand where they have the same
///   name
public record ModelOptions(
    @Nullable ApiKey key,
    @Nullable String baseUrl,
    @Nullable Double temperature,
    @Nullable Integer maxTokens,
    Duration idleLimit,
    Duration totalLimit,
    Map<String, String> headers) {
  private static final Duration LONGEST = Duration.ofDays(1);

  /// @throws IllegalArgumentException naming what is out of its range
  public ModelOptions {
    if (temperature != null && !(temperature >= 0 && temperature <= 2)) {
      throw new IllegalArgumentException("the temperature of a model must lie between 0 and 2");
    }
    if (maxTokens != null && maxTokens < 1) {
      throw new IllegalArgumentException("the limit of tokens must be at least 1");
    }
    check("idle", idleLimit);
    check("total", totalLimit);
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    headers.forEach(HttpRequest::checkHeader);
  }

  private static void check(String name, Duration limit) {
    if (limit.toMillis() < 1 || limit.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "the " + name + " limit of a model must lie between 1 ms and a day");
    }
  }

  /// The usual ones, with this key.
  public static ModelOptions of(ApiKey key) {
    return builder().key(key).build();
  }

  /// The usual ones, without a key.
  public static Builder builder() {
    return new Builder();
  }

  /// Everything but the values of headers.
  @Override
  public String toString() {
    return "ModelOptions[key=%s, baseUrl=%s, temperature=%s, maxTokens=%s, idleLimit=%s, totalLimit=%s, headers=%s]"
        .formatted(key, baseUrl, temperature, maxTokens, idleLimit, totalLimit, headers.keySet());
  }

  /// Collects what is not as usual.
  public static final class Builder {
    private @Nullable ApiKey key;
    private @Nullable String baseUrl;
    private @Nullable Double temperature;
    private @Nullable Integer maxTokens;
    private Duration idleLimit = Duration.ofSeconds(30);
    private Duration totalLimit = Duration.ofMinutes(5);
    private final Map<String, String> headers = new LinkedHashMap<>();

    private Builder() {}

    /// The key; none by default.
    public Builder key(@Nullable ApiKey key) {
      this.key = key;
      return this;
    }

    /// Where the service is; the provider's own by default.
    public Builder baseUrl(@Nullable String baseUrl) {
      this.baseUrl = baseUrl;
      return this;
    }

    /// How freely the model chooses its words, from 0 to 2.
    public Builder temperature(double temperature) {
      this.temperature = temperature;
      return this;
    }

    /// The most tokens that a reply may have.
    public Builder maxTokens(int maxTokens) {
      this.maxTokens = maxTokens;
      return this;
    }

    /// How long the service may be silent; 30 seconds by default.
    public Builder idleLimit(Duration idleLimit) {
      this.idleLimit = idleLimit;
      return this;
    }

    /// How long a reply may take in all; 5 minutes by default.
    public Builder totalLimit(Duration totalLimit) {
      this.totalLimit = totalLimit;
      return this;
    }

    /// A header that is sent with every request.
    public Builder header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    /// The options.
    ///
    /// @throws IllegalArgumentException naming what is out of its range
    public ModelOptions build() {
      return new ModelOptions(key, baseUrl, temperature, maxTokens, idleLimit, totalLimit, headers);
    }
  }
}
