package dev.switchboard.mcp.oauth;

import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A client and its tokens at one authorization server, for one MCP server.
///
/// @param issuer the identifier of the authorization server, the only one that receives the
///   client's secret and the tokens
/// @param resource the name of the MCP server for which the tokens are
/// @param endpoint the URL of the token endpoint
/// @param algorithms for signing a client's assertion; empty for any
/// @param asked the requested scopes
/// @param tokens null for none
record Login(
    String issuer,
    String resource,
    String endpoint,
    List<String> algorithms,
    OAuthClient client,
    List<String> asked,
    @Nullable TokenResponse tokens) {
  private static final int MOST = 8;

  private record Kept(List<Login> logins) {}

  Login {
    algorithms = List.copyOf(algorithms);
    asked = List.copyOf(asked);
  }

  Login with(@Nullable TokenResponse others) {
    return new Login(issuer, resource, endpoint, algorithms, client, asked, others);
  }

  /// The stored logins of an MCP server, the newest first; none if they cannot be read.
  static List<Login> all(@Nullable Json kept) {
    if (kept == null) {
      return List.of();
    }
    try {
      return Records.read(kept.tree(), Kept.class).logins();
    } catch (IllegalArgumentException e) {
      return List.of(); // another version: a new login is needed
    }
  }

  /// The login that has tokens; null for none.
  static @Nullable Login current(List<Login> logins) {
    return logins.stream().filter(login -> login.tokens != null).findFirst().orElse(null);
  }

  /// The value to store with this login as the newest: only its tokens, and the clients of the
  /// others.
  Json before(List<Login> others) {
    List<Login> logins = new ArrayList<>();
    logins.add(this);
    others.stream()
        .filter(login -> !login.issuer.equals(issuer))
        .limit(MOST - 1L)
        .forEach(login -> logins.add(login.with(null)));
    return Records.write(new Kept(logins));
  }
}
