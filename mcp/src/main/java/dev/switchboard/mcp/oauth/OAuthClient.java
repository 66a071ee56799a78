package dev.switchboard.mcp.oauth;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A client of an authorization server.
///
/// @param method of its authentication at the token endpoint
/// @param secret of a registered client; null for none, and for that of the settings
/// @param redirect of a registered client; null for any
/// @param scopes that a registered client named
/// @param expires when the secret expires; null for never
record OAuthClient(
    String id,
    Origin origin,
    Method method,
    @Nullable String secret,
    @Nullable String redirect,
    List<String> scopes,
    @Nullable Instant expires) {

  OAuthClient {
    scopes = List.copyOf(scopes);
  }

  /// A client that was not registered by this program.
  static OAuthClient of(String id, Origin origin, Method method) {
    return new OAuthClient(id, origin, method, null, null, List.of(), null);
  }

  /// Where a client comes from.
  enum Origin {
    CONFIGURED,
    DOCUMENT,
    REGISTERED
  }

  /// How a client authenticates.
  enum Method {
    NONE,
    CLIENT_SECRET_BASIC,
    CLIENT_SECRET_POST,
    PRIVATE_KEY_JWT;

    /// The name of the method in metadata.
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /// The best method for a client with a secret.
    ///
    /// @param taken those that the server accepts; empty if it states none
    /// @throws IllegalArgumentException with a clause, when there is none
    static Method ofSecret(List<String> taken) {
      if (taken.isEmpty()) {
        return CLIENT_SECRET_BASIC;
      }
      for (Method method : List.of(CLIENT_SECRET_BASIC, CLIENT_SECRET_POST, NONE)) {
        if (taken.contains(method.word())) {
          return method;
        }
      }
      throw new IllegalArgumentException("takes no client that proves itself by a secret");
    }
  }

  /// Its id only.
  @Override
  public String toString() {
    return "OAuthClient[" + id + ']';
  }
}
