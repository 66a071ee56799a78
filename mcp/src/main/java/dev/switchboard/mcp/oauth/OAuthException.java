package dev.switchboard.mcp.oauth;

import java.io.IOException;
import java.io.Serial;

/// Why there is no access to an MCP server, in a sentence for its operator that holds no token,
/// code or secret.
public final class OAuthException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  private final String clause;
  private final boolean isRefusal;

  OAuthException(String server, String clause, boolean isRefusal) {
    super("MCP server '%s': %s.".formatted(server, clause));
    this.clause = clause;
    this.isRefusal = isRefusal;
  }

  /// The sentence without the server's name and the full stop.
  public String clause() {
    return clause;
  }

  /// Whether an authorization server refused what it was asked, so that it is of no use to ask it
  /// the same again.
  boolean isRefusal() {
    return isRefusal;
  }
}
