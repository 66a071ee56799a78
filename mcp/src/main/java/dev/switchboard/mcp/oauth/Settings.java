package dev.switchboard.mcp.oauth;

import dev.switchboard.text.InvisibleCharacters;
import dev.switchboard.time.Time;
import dev.switchboard.webhook.GuardedHttp;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The settings of the OAuth of one MCP server; [OAuthBuilder] describes them.
record Settings(
    String name,
    WebAddress server,
    GuardedHttp http,
    @Nullable String clientId,
    @Nullable String secret,
    @Nullable SigningKey key,
    @Nullable String issuer,
    @Nullable String document,
    List<String> scopes,
    boolean machine,
    String redirect,
    @Nullable Person person,
    TokenStore store,
    Time time,
    RandomGenerator random) {
  private static final int LONGEST = 300;

  /// An untrusted URL.
  ///
  /// @throws IllegalArgumentException with a clause, when it is not allowed
  WebAddress address(String text) {
    WebAddress address = WebAddress.read(text, http.guard());
    if (address.loopback() && !server.loopback()) {
      throw new IllegalArgumentException("it is on this machine, and the MCP server is not");
    }
    return address;
  }

  OAuthException fault(String clause) {
    return fault(clause, false);
  }

  /// @param isRefusal whether an authorization server refused a request
  OAuthException fault(String clause, boolean isRefusal) {
    return new OAuthException(name, clause, isRefusal);
  }

  /// An authorization server that cannot be used, with the reason.
  OAuthException unfit(AuthorizationServer server, IllegalArgumentException why) {
    return fault(
        "its authorization server %s %s".formatted(shown(server.issuer()), why.getMessage()));
  }

  /// An untrusted text, cut to fit into a sentence on one line.
  static String shown(String text) {
    String line = InvisibleCharacters.line(text);
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
  }

  /// Its server only.
  @Override
  public String toString() {
    return "Settings[" + name + ']';
  }
}
