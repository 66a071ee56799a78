package dev.switchboard.tool;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Why a call was refused or failed: the `code` of a result that the runtime itself made. Whether a
/// call with such a result is tried again is decided by [dev.switchboard.tool.RetryPolicy] and by
/// what its handler threw.
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

  /// @param fallback whether the model should do without the tool
  /// @param countsForBreaker whether it is a failure of the tool
  ResultCode(boolean fallback, boolean countsForBreaker) {
    this.fallback = fallback;
    this.countsForBreaker = countsForBreaker;
  }

  /// The code of that word, or null when there is none.
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

  /// Whether trying again will not help now, so that the model should do without the tool.
  public boolean fallback() {
    return fallback;
  }

  /// Whether a call that ends so is a failure in the eyes of the circuit breaker.
  public boolean countsForBreaker() {
    return countsForBreaker;
  }
}
