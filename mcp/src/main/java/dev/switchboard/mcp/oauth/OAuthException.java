package dev.switchboard.mcp.oauth;

import java.io.IOException;
import java.io.Serial;

/// No access to an MCP server. The message is a sentence for the operator, without a token, code or
/// secret.
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

  /// Whether an authorization server refused the request; then a retry does not help.
  boolean isRefusal() {
    return isRefusal;
  }
}
