package dev.switchboard.model;

import dev.switchboard.http.HttpRequest;
import dev.switchboard.json.Json;
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
/// @param reasoning how much the model thinks first: a word such as `low`, or for older models of
///   Anthropic a number of tokens; null for the provider's usual way
/// @param more further members of every request, as they are
/// @param caching whether the provider is told what of a request to keep for the next, where it
///   wants to be told
/// @param structured how structured replies are made, null for by the provider's own means at its
///   own address and by a tool elsewhere
/// @param idleLimit how long the service may be silent, before its first word too
/// @param totalLimit how long a reply may take in all
/// @param headers sent beside the usual ones, in whose place they stand where they have the same
///   name
public record ModelOptions(
    @Nullable ApiKey key,
    @Nullable String baseUrl,
    @Nullable Double temperature,
    @Nullable Integer maxTokens,
    @Nullable String reasoning,
    Json more,
    boolean caching,
    @Nullable Structured structured,
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
    if (reasoning != null && !reasoning.matches("[a-z]{1,20}|[1-9][0-9]{0,6}")) {
      throw new IllegalArgumentException(
          "the reasoning of a model must be a word such as \"low\", or a number of tokens");
    }
    if (!more.isReadableObject()) {
      throw new IllegalArgumentException("further options of a model must be an object");
    }
    check("idle", idleLimit);
    check("total", totalLimit);
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    headers.forEach(HttpRequest::checkHeader);
  }

  /// How a provider's model makes structured replies.
  public enum Structured {
    /// By its own means: the request states the form.
    FORMAT,
    /// By a tool that takes the reply, which any model that calls tools can do.
    TOOL
  }

  /// An option that a provider cannot take.
  ///
  /// @param key the option, such as `temperature`, or `options.stream` for a member of the further
  ///   ones
  /// @param why the rest of a sentence about it
  public record Misuse(String key, String why) {
    /// A further option that the client sets itself.
    public static Misuse own(String member) {
      return new Misuse("options." + member, "is set by the runtime");
    }

    /// The fault as an exception.
    public IllegalArgumentException exception() {
      return new IllegalArgumentException("the option '" + key + "' of a model " + why);
    }
  }

  /// Whether structured replies are made by the provider's own means.
  ///
  /// @param own whether the service is the provider's own
  public boolean stateFormat(boolean own) {
    return structured == null ? own : structured == Structured.FORMAT;
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
    return "ModelOptions[key=%s, baseUrl=%s, temperature=%s, maxTokens=%s, reasoning=%s, more=%s, caching=%s, structured=%s, idleLimit=%s, totalLimit=%s, headers=%s]"
        .formatted(
            key,
            baseUrl,
            temperature,
            maxTokens,
            reasoning,
            more,
            caching,
            structured,
            idleLimit,
            totalLimit,
            headers.keySet());
  }

  /// Collects what is not as usual.
  public static final class Builder {
    private @Nullable ApiKey key;
    private @Nullable String baseUrl;
    private @Nullable Double temperature;
    private @Nullable Integer maxTokens;
    private @Nullable String reasoning;
    private Json more = Json.EMPTY_OBJECT;
    private boolean caching = true;
    private @Nullable Structured structured;
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

    /// How much the model thinks before it replies: a word such as `low` or `high`.
    public Builder reasoning(String effort) {
      reasoning = effort;
      return this;
    }

    /// How many tokens an older model of Anthropic may think before it replies.
    public Builder reasoning(int tokens) {
      reasoning = Integer.toString(tokens);
      return this;
    }

    /// Further members of every request, as they are, such as `{"top_p": 0.9}`.
    public Builder more(Json members) {
      more = members;
      return this;
    }

    /// Whether the provider is told what of a request to keep for the next; it is by default.
    public Builder caching(boolean told) {
      caching = told;
      return this;
    }

    /// How structured replies are made; by default by the provider's own means at its own address,
    /// and by a tool elsewhere.
    public Builder structured(Structured way) {
      structured = way;
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
      return new ModelOptions(
          key,
          baseUrl,
          temperature,
          maxTokens,
          reasoning,
          more,
          caching,
          structured,
          idleLimit,
          totalLimit,
          headers);
    }
  }
}
