package dev.switchboard.tool;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Why the runtime, or the tool's handler, refused or failed a call: the `code` of its result.
/// [RetryPolicy] and the exception of the handler decide about retries.
public enum ResultCode {
  UNKNOWN_TOOL(false, false),
  INVALID_ARGUMENTS(false, false),
  RULE_VIOLATION(false, false),
  REPEATED_CALL(false, false),
  SKIPPED_AFTER_EXIT(false, false),
  DUPLICATE_ID(false, false),
  CONSENT_DENIED(false, false),
  CONSENT_TIMEOUT(false, false),
  CONSENT_PENDING(false, false),
  NO_APPROVER(false, false),
  CIRCUIT_OPEN(true, false),
  FAILED(true, true),
  TIMEOUT(true, true),
  RESPONSE_TOO_LARGE(true, true),
  URL_BLOCKED(true, false),
  CANCELLED(false, false),
  OUTCOME_UNKNOWN(true, false);

  private final boolean fallback;
  private final boolean countsForBreaker;

  /// @param fallback as [#fallback]
  /// @param countsForBreaker as [#countsForBreaker]
  ResultCode(boolean fallback, boolean countsForBreaker) {
    this.fallback = fallback;
    this.countsForBreaker = countsForBreaker;
  }

  /// The code of that word, or null.
  public static @Nullable ResultCode ofWord(String word) {
    for (ResultCode code : values()) {
      if (code.word().equals(word)) {
        return code;
      }
    }
    return null;
  }

  /// The word on the wire, such as `invalid_arguments`.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether a retry will not help now, so that the model should do without the tool.
  public boolean fallback() {
    return fallback;
  }

  /// Whether the circuit breaker counts such a call as a failure.
  public boolean countsForBreaker() {
    return countsForBreaker;
  }
}
