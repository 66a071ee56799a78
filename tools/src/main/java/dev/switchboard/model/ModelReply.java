package dev.switchboard.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.switchboard.text.Surrogates;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A model's reply.
///
/// @param text its text, empty for none; a lone surrogate in it becomes U+FFFD
/// @param calls its tool calls, in order
/// @param items what the provider needs back with it, null for nothing. A reply with other words or
///   calls has none, or no entries, and then nothing of the calls: they are no longer the model's
public record ModelReply(
    @JsonInclude(JsonInclude.Include.NON_EMPTY) String text,
    List<RequestedCall> calls,
    FinishReason finish,
    Usage usage,
    @Nullable ProviderItems items) {
  public ModelReply {
    text = Surrogates.repaired(text);
    calls = List.copyOf(calls);
  }

  /// A reply with which the provider needs nothing back.
  public ModelReply(String text, List<RequestedCall> calls, FinishReason finish, Usage usage) {
    this(text, calls, finish, usage, null);
  }

  @JsonCreator
  static ModelReply stored(
      @Nullable String text,
      List<RequestedCall> calls,
      @Nullable FinishReason finish,
      @Nullable Usage usage,
      @Nullable ProviderItems items) {
    return new ModelReply(
        text == null ? "" : text,
        calls,
        finish == null ? FinishReason.OTHER : finish,
        usage == null ? Usage.NONE : usage,
        items);
  }

  /// All of it but the items.
  @Override
  public String toString() {
    return "ModelReply[text=%s, calls=%s, finish=%s, usage=%s]"
        .formatted(text, calls, finish, usage);
  }

  /// This reply with another text.
  public ModelReply withText(String other) {
    return other.equals(text) ? this : changed(other, calls);
  }

  /// This reply with other calls. Under other ids they are still the model's.
  public ModelReply withCalls(List<RequestedCall> others) {
    return withoutIds(others).equals(withoutIds(calls))
        ? new ModelReply(text, others, finish, usage, items)
        : changed(text, others);
  }

  private static List<RequestedCall> withoutIds(List<RequestedCall> calls) {
    return calls.stream().map(call -> call.withId("")).toList();
  }

  private ModelReply changed(String words, List<RequestedCall> others) {
    List<RequestedCall> left =
        items == null ? others : others.stream().map(RequestedCall::withoutExtra).toList();
    return new ModelReply(words, left, finish, usage, ProviderItems.withoutEntries(items));
  }

  /// This reply with another usage.
  public ModelReply withUsage(Usage other) {
    return other.equals(usage) ? this : new ModelReply(text, calls, finish, other, items);
  }

  /// This reply with other items.
  public ModelReply withItems(@Nullable ProviderItems others) {
    return new ModelReply(text, calls, finish, usage, others);
  }

  /// A reply of only a text.
  public static ModelReply text(String text) {
    return new ModelReply(text, List.of(), FinishReason.STOP, Usage.NONE);
  }

  /// A reply of only tool calls.
  public static ModelReply calls(RequestedCall... calls) {
    return new ModelReply("", List.of(calls), FinishReason.TOOL_CALLS, Usage.NONE);
  }

  /// The tokens of a request.
  ///
  /// @param input tokens read, including cached ones
  /// @param output tokens written
  /// @param cacheRead input tokens that were read from the provider's cache
  /// @param cacheWritten input tokens that were written to it
  /// @param reasoning output tokens that nobody reads
  public record Usage(
      long input,
      long output,
      @JsonProperty("cache_read") @JsonInclude(JsonInclude.Include.NON_DEFAULT) long cacheRead,
      @JsonProperty("cache_written") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
          long cacheWritten,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) long reasoning) {
    /// No tokens, or an unknown number.
    public static final Usage NONE = new Usage(0, 0);

    /// The usage of a request without a cache.
    public Usage(long input, long output) {
      this(input, output, 0, 0, 0);
    }

    /// The usage of a request without reasoning.
    public Usage(long input, long output, long cacheRead, long cacheWritten) {
      this(input, output, cacheRead, cacheWritten, 0);
    }

    @JsonCreator
    static Usage stored(
        long input,
        long output,
        @JsonProperty("cache_read") @Nullable Long cacheRead,
        @JsonProperty("cache_written") @Nullable Long cacheWritten,
        @Nullable Long reasoning) {
      return new Usage(
          input,
          output,
          cacheRead == null ? 0 : cacheRead,
          cacheWritten == null ? 0 : cacheWritten,
          reasoning == null ? 0 : reasoning);
    }

    /// The sum of both usages.
    public Usage plus(Usage other) {
      return new Usage(
          input + other.input,
          output + other.output,
          cacheRead + other.cacheRead,
          cacheWritten + other.cacheWritten,
          reasoning + other.reasoning);
    }
  }

  /// Why a model stopped.
  public enum FinishReason {
    /// The reply is complete.
    STOP,
    /// It waits for the results of its calls.
    TOOL_CALLS,
    /// It reached the limit of its reply.
    LENGTH,
    /// The provider withheld its text.
    FILTERED,
    /// The provider's reason has no equivalent here.
    @JsonEnumDefaultValue
    OTHER;

    /// The word in files, such as `tool_calls`.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /// The reason of that word, [#OTHER] for any unknown one.
    public static FinishReason of(String word) {
      for (FinishReason reason : values()) {
        if (reason.word().equals(word)) {
          return reason;
        }
      }
      return OTHER;
    }
  }
}
