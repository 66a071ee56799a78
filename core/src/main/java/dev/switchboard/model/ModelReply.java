package dev.switchboard.model;

import dev.switchboard.json.Surrogates;
import java.util.List;

/// What a model replied.
///
/// @param text its words, empty for none; half a surrogate pair in it becomes U+FFFD
/// @param calls the tool calls that it asks for, in their order
public record ModelReply(String text, List<RequestedCall> calls, FinishReason finish, Usage usage) {
  public ModelReply {
    text = Surrogates.repaired(text);
    calls = List.copyOf(calls);
  }

  /// This reply with other words.
  public ModelReply withText(String other) {
    return new ModelReply(other, calls, finish, usage);
  }

  /// This reply with other calls.
  public ModelReply withCalls(List<RequestedCall> others) {
    return new ModelReply(text, others, finish, usage);
  }

  /// This reply with another usage.
  public ModelReply withUsage(Usage other) {
    return new ModelReply(text, calls, finish, other);
  }

  /// A reply of words alone.
  public static ModelReply text(String text) {
    return new ModelReply(text, List.of(), FinishReason.STOP, Usage.NONE);
  }

  /// A reply of tool calls alone.
  public static ModelReply calls(RequestedCall... calls) {
    return new ModelReply("", List.of(calls), FinishReason.TOOL_CALLS, Usage.NONE);
  }
}
