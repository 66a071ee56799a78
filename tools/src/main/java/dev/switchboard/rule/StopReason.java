package dev.switchboard.rule;

import java.util.Locale;

/// Why a turn ended: the `stopReason` of its `done` event.
public enum StopReason {
  /// The assistant has ended its turn.
  END_TURN,
  /// A tool that ends the loop succeeded.
  TOOL_RULE,
  /// A result was terminal.
  TERMINAL_RESULT,
  /// The turn has reached its limit of rounds.
  MAX_ITERATIONS,
  /// The model did not answer in time.
  MODEL_TIMEOUT,
  /// The model failed.
  MODEL_ERROR,
  /// The model's replies did not match the requested schema.
  INVALID_REPLY,
  /// The budget is used up.
  BUDGET,
  /// The conversation was cancelled, or its caller hung up.
  CANCELLED,
  /// A call waits for a person's consent.
  CONSENT_PENDING;

  /// The word on the wire, such as `end_turn`.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
