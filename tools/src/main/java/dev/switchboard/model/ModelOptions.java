package dev.switchboard.model;

import dev.switchboard.http.HttpRequest;
import dev.switchboard.json.Json;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The options of a provider's model.
///
/// @param key null for a server that needs none
/// @param baseUrl of the service, null for the provider's own
/// @param temperature null for the provider's default
/// @param maxTokens the maximum tokens of a reply, null for the provider's default
/// @param reasoning how much the model thinks before it replies: a word such as `low`, or a number
///   of tokens for older models of Anthropic; null for the provider's default
/// @param more further members of every request, merged into it
/// @param caching whether requests mark the parts to cache, if the provider needs that
/// @param structured how structured replies are requested; by default (null) in the provider's own
///   format at its own address, and by a tool elsewhere
/// @param thinksFirst whether the text of replies begins with thoughts that only `</think>` ends,
///   so that it is not streamed before
/// @param idleLimit how long the service may be silent, also before its first word
/// @param totalLimit the time limit of a whole reply
/// @param headers sent beside the default ones, which they replace if the names are equal
/// @param api which of OpenAI's APIs the service is asked by; by default (null) its address decides
/// @param window how many tokens a request and its reply may have together, null if that is not
///   known
public record ModelOptions(
    @Nullable ApiKey key,
    @Nullable String baseUrl,
    @Nullable Double temperature,
    @Nullable Integer maxTokens,
    @Nullable String reasoning,
    Json more,
    boolean caching,
    @Nullable Structured structured,
    boolean thinksFirst,
    Duration idleLimit,
    Duration totalLimit,
    Map<String, String> headers,
    @Nullable Api api,
    @Nullable Integer window) {
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final Duration SILENCE_OF_THOUGHT = Duration.ofMinutes(2);

  /// @throws IllegalArgumentException that names the option that is out of range
  public ModelOptions {
    if (temperature != null && !(temperature >= 0 && temperature <= 2)) {
      throw new IllegalArgumentException("the temperature of a model must lie between 0 and 2");
    }
    if (maxTokens != null && maxTokens < 1) {
      throw new IllegalArgumentException("the limit of tokens must be at least 1");
    }
    if (window != null && window < 1) {
      throw new IllegalArgumentException("the window of a model must be at least 1 token");
    }
    if (reasoning != null && !reasoning.matches("[a-z_]{1,20}|[1-9][0-9]{0,6}")) {
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

  /// How structured replies are requested.
  public enum Structured {
    /// In the provider's own format: the request states the schema.
    FORMAT,
    /// By a tool that receives the reply, for any model that calls tools.
    TOOL
  }

  /// An API of OpenAI, which other services also have.
  public enum Api {
    /// Responses: reasoning is sent back, so that a model goes on with it after its calls.
    RESPONSES,
    /// Chat completions, which most compatible services have.
    CHAT
  }

  /// An option that a provider does not support.
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

  /// Whether structured replies are requested in the provider's own format.
  ///
  /// @param own whether the service is the provider's own
  public boolean stateFormat(boolean own) {
    return structured == null ? own : structured == Structured.FORMAT;
  }

  /// Whether the model is told to think before it replies.
  public boolean reasons() {
    return reasons(reasoning);
  }

  private static boolean reasons(@Nullable String reasoning) {
    return reasoning != null && !reasoning.equals("none");
  }

  /// How long a model may be silent by default.
  ///
  /// @param reasons whether it thinks before it replies
  public static Duration usualSilence(boolean reasons) {
    return reasons ? SILENCE_OF_THOUGHT : SILENCE;
  }

  private static void check(String name, Duration limit) {
    if (limit.toMillis() < 1 || limit.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "the " + name + " limit of a model must lie between 1 ms and a day");
    }
  }

  /// The default options, with this key.
  public static ModelOptions of(ApiKey key) {
    return builder().key(key).build();
  }

  /// The default options, without a key.
  public static Builder builder() {
    return new Builder();
  }

  /// All options; headers without their values.
  @Override
  public String toString() {
    return "ModelOptions[key=%s, baseUrl=%s, temperature=%s, maxTokens=%s, reasoning=%s, more=%s, caching=%s, structured=%s, thinksFirst=%s, idleLimit=%s, totalLimit=%s, headers=%s, api=%s, window=%s]"
        .formatted(
            key,
            baseUrl,
            temperature,
            maxTokens,
            reasoning,
            more,
            caching,
            structured,
            thinksFirst,
            idleLimit,
            totalLimit,
            headers.keySet(),
            api,
            window);
  }

  /// Builds options.
  public static final class Builder {
    private @Nullable ApiKey key;
    private @Nullable String baseUrl;
    private @Nullable Double temperature;
    private @Nullable Integer maxTokens;
    private @Nullable String reasoning;
    private Json more = Json.EMPTY_OBJECT;
    private boolean caching = true;
    private @Nullable Structured structured;
    private boolean thinksFirst;
    private @Nullable Duration idleLimit;
    private Duration totalLimit = Duration.ofMinutes(5);
    private final Map<String, String> headers = new LinkedHashMap<>();
    private @Nullable Api api;
    private @Nullable Integer window;

    private Builder() {}

    /// Sets the key; none by default.
    public Builder key(@Nullable ApiKey key) {
      this.key = key;
      return this;
    }

    /// Sets the URL of the service; the provider's own by default.
    public Builder baseUrl(@Nullable String baseUrl) {
      this.baseUrl = baseUrl;
      return this;
    }

    /// Sets the sampling temperature, from 0 to 2.
    public Builder temperature(double temperature) {
      this.temperature = temperature;
      return this;
    }

    /// Sets the maximum tokens of a reply.
    public Builder maxTokens(int maxTokens) {
      this.maxTokens = maxTokens;
      return this;
    }

    /// Sets how much the model thinks before it replies: a word such as `low` or `high`.
    public Builder reasoning(String effort) {
      reasoning = effort;
      return this;
    }

    /// Sets how many tokens an older model of Anthropic may think before it replies.
    public Builder reasoning(int tokens) {
      reasoning = Integer.toString(tokens);
      return this;
    }

    /// Adds further members of every request, which are merged into it, such as `{"top_p": 0.9}`.
    public Builder more(Json members) {
      more = members;
      return this;
    }

    /// Sets whether requests mark the parts to cache, if the provider needs that; true by default.
    public Builder caching(boolean on) {
      caching = on;
      return this;
    }

    /// Sets how structured replies are requested; by default in the provider's own format at its
    /// own address, and by a tool elsewhere.
    public Builder structured(Structured way) {
      structured = way;
      return this;
    }

    /// Sets whether the text of replies begins with thoughts that have no opening tag and end with
    /// `</think>`; false by default. Such text is not streamed before that tag.
    public Builder thinksFirst(boolean thinks) {
      thinksFirst = thinks;
      return this;
    }

    /// Sets how long the service may be silent; 30 seconds by default, 2 minutes for a model that
    /// is told to think before it replies.
    public Builder idleLimit(Duration idleLimit) {
      this.idleLimit = idleLimit;
      return this;
    }

    /// Sets the time limit of a whole reply; 5 minutes by default.
    public Builder totalLimit(Duration totalLimit) {
      this.totalLimit = totalLimit;
      return this;
    }

    /// Adds a header to every request.
    public Builder header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    /// Sets which of OpenAI's APIs the service is asked by. By default it is Responses at OpenAI's
    /// and Azure's own addresses and chat completions elsewhere.
    public Builder api(Api api) {
      this.api = api;
      return this;
    }

    /// Sets how many tokens a request and its reply may have together.
    public Builder window(int tokens) {
      window = tokens;
      return this;
    }

    /// Builds the options.
    ///
    /// @throws IllegalArgumentException that names the option that is out of range
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
          thinksFirst,
          idleLimit == null ? usualSilence(reasons(reasoning)) : idleLimit,
          totalLimit,
          headers,
          api,
          window);
    }
  }
}
