package dev.switchboard.model;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import java.util.Locale;

/// Why a model stopped.
public enum FinishReason {
  /// It had no more to say.
  STOP,
  /// It waits for the results of its calls.
  TOOL_CALLS,
  /// It reached the most that it may write.
  LENGTH,
  /// The provider held its words back.
  FILTERED,
  /// The provider has another word for it.
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
