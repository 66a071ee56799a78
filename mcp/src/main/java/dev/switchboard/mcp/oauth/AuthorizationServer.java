package dev.switchboard.mcp.oauth;

import dev.switchboard.webhook.UrlGuard;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// An authorization server, as its metadata describes it (RFC 8414, OpenID Connect Discovery).
///
/// @param issuer its identifier, unchanged
/// @param authorization the authorization endpoint; null for none
/// @param registration the registration endpoint; null for none
/// @param pkce whether it supports the code challenge method S256
/// @param scopes its supported scopes; empty if it states none
/// @param methods of client authentication at the token endpoint; empty if it states none
/// @param algorithms for signing a client's assertion; empty if it states none
/// @param takesDocuments whether a client id may be the URL of its metadata document
/// @param namesItself whether its answers through the browser contain `iss`
record AuthorizationServer(
    String issuer,
    @Nullable WebAddress authorization,
    WebAddress token,
    @Nullable WebAddress registration,
    boolean pkce,
    List<String> scopes,
    List<String> methods,
    List<String> algorithms,
    boolean takesDocuments,
    boolean namesItself) {

  /// The server of this document.
  ///
  /// @param address parses a URL in it
  /// @throws IllegalArgumentException when a URL in it is not allowed, with the reason as a clause
  static AuthorizationServer of(JsonNode document, Function<String, WebAddress> address) {
    WebAddress token = endpoint(document, "token_endpoint", address);
    if (token == null) {
      throw new IllegalArgumentException("it names no token endpoint");
    }
    return new AuthorizationServer(
        String.valueOf(Requests.text(document, "issuer")),
        endpoint(document, "authorization_endpoint", address),
        token,
        endpoint(document, "registration_endpoint", address),
        Requests.texts(document.path("code_challenge_methods_supported")).contains("S256"),
        Requests.texts(document.path("scopes_supported")),
        Requests.texts(document.path("token_endpoint_auth_methods_supported")),
        Requests.texts(document.path("token_endpoint_auth_signing_alg_values_supported")),
        isTrue(document, "client_id_metadata_document_supported"),
        isTrue(document, "authorization_response_iss_parameter_supported"));
  }

  /// A server of 2025-03-26 without metadata, whose endpoints have fixed paths.
  static AuthorizationServer withoutMetadata(String origin, UrlGuard guard) {
    return new AuthorizationServer(
        origin,
        WebAddress.read(origin + "/authorize", guard),
        WebAddress.read(origin + "/token", guard),
        WebAddress.read(origin + "/register", guard),
        true,
        List.of(),
        List.of(),
        List.of(),
        false,
        false);
  }

  private static @Nullable WebAddress endpoint(
      JsonNode document, String name, Function<String, WebAddress> address) {
    String text = Requests.text(document, name);
    try {
      return text == null ? null : address.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("its " + name + " may not be opened: " + e.getMessage());
    }
  }

  private static boolean isTrue(JsonNode document, String name) {
    JsonNode value = document.path(name);
    return value.isBoolean() && value.booleanValue();
  }
}
