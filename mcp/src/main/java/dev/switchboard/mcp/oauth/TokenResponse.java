package dev.switchboard.mcp.oauth;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The answer of a token endpoint.
///
/// @param access the access token
/// @param refresh the refresh token; null for none
/// @param until when to replace the access token, shortly before it expires; null if unknown
record TokenResponse(String access, @Nullable String refresh, @Nullable Instant until) {
  static final int LONGEST = 32 * 1024;

  private static final long MOST_SECONDS = 10L * 365 * 24 * 3600;
  private static final long MARGIN_SECONDS = 30;

  /// Whether the text is a valid token, code or client id: printable ASCII without spaces.
  static boolean fits(String text) {
    return !text.isEmpty()
        && text.length() <= LONGEST
        && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  /// The tokens of an answer.
  ///
  /// @param before the refresh token to keep if there is no new one
  /// @throws IllegalArgumentException when it has no usable token, with the reason as a clause
  static TokenResponse of(JsonNode answer, @Nullable String before, Instant now) {
    String access = Requests.text(answer, "access_token");
    if (access == null || !fits(access)) {
      throw new IllegalArgumentException("gave no access token, or one that no header may hold");
    }
    if (!"Bearer".equalsIgnoreCase(Requests.text(answer, "token_type"))) {
      throw new IllegalArgumentException("gave a token that is not a bearer token");
    }
    String fresh = Requests.text(answer, "refresh_token");
    String refresh = fresh == null ? before : fresh;
    if (refresh != null && !fits(refresh)) {
      throw new IllegalArgumentException("gave a refresh token that cannot be sent back");
    }
    long seconds = answer.path("expires_in").asLong(-1);
    return new TokenResponse(access, refresh, seconds < 0 ? null : until(now, seconds));
  }

  private static Instant until(Instant now, long seconds) {
    long life = Math.min(seconds, MOST_SECONDS);
    return now.plusSeconds(life - Math.min(MARGIN_SECONDS, life / 4));
  }

  String header() {
    return "Bearer " + access;
  }

  boolean stale(Instant now) {
    return until != null && !now.isBefore(until);
  }

  /// `TokenResponse[***]`.
  @Override
  public String toString() {
    return "TokenResponse[***]";
  }
}
