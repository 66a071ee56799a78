package dev.switchboard.mcp.oauth;

import dev.switchboard.http.HttpAnswer;
import dev.switchboard.json.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Chooses the client for an authorization server: a configured one, or else one with a metadata
/// document, or else one that is registered now (RFC 7591).
final class Registration {
  private final Settings settings;
  private final Requests requests;

  Registration(Settings settings, Requests requests) {
    this.settings = settings;
    this.requests = requests;
  }

  /// The configured client, if this server accepts it; null for none.
  ///
  /// @param kept the existing logins, since a client belongs to one authorization server
  /// @throws OAuthException when it was used with another one
  /// @throws IllegalArgumentException when the server does not accept such a client, with the
  ///   reason as a clause
  @Nullable OAuthClient configured(AuthorizationServer server, List<Login> kept)
      throws OAuthException {
    String id = settings.clientId();
    if (id == null) {
      return null;
    }
    for (Login login : kept) {
      boolean other = !login.issuer().equals(server.issuer());
      boolean used = login.client().origin() == OAuthClient.Origin.CONFIGURED;
      if (settings.issuer() == null && other && used && login.client().id().equals(id)) {
        throw settings.fault(
            "it now names the authorization server %s, and the configured client belongs to %s; if that is right, configure the new client and its `issuer`"
                .formatted(Settings.shown(server.issuer()), Settings.shown(login.issuer())));
      }
    }
    return OAuthClient.of(id, OAuthClient.Origin.CONFIGURED, method(server));
  }

  private OAuthClient.Method method(AuthorizationServer server) {
    if (settings.key() != null) {
      return OAuthClient.Method.PRIVATE_KEY_JWT;
    }
    return settings.secret() == null
        ? OAuthClient.Method.NONE
        : OAuthClient.Method.ofSecret(server.methods());
  }

  /// The client for a login by a person.
  ///
  /// @param registered one that was registered with that redirect; null for none
  OAuthClient of(
      AuthorizationServer server,
      List<Login> kept,
      @Nullable OAuthClient registered,
      String redirect,
      List<String> scopes)
      throws IOException {
    OAuthClient configured = configured(server, kept);
    if (configured != null) {
      return configured;
    }
    String document = settings.document();
    if (document != null && server.takesDocuments()) {
      return OAuthClient.of(document, OAuthClient.Origin.DOCUMENT, method(server));
    }
    if (registered != null) {
      return registered;
    }
    WebAddress endpoint = server.registration();
    if (endpoint == null) {
      throw settings.fault(
          "its authorization server %s does not register clients; register one there and configure its `client_id`"
              .formatted(Settings.shown(server.issuer())));
    }
    return registered(endpoint, server, redirect, scopes);
  }

  private OAuthClient registered(
      WebAddress endpoint, AuthorizationServer server, String redirect, List<String> scopes)
      throws IOException {
    boolean open = server.methods().isEmpty() || server.methods().contains("none");
    OAuthClient.Method wanted =
        open ? OAuthClient.Method.NONE : OAuthClient.Method.ofSecret(server.methods());
    Map<String, Object> wish = new LinkedHashMap<>();
    wish.put("client_name", "Switchboard");
    wish.put("application_type", "native");
    wish.put("redirect_uris", List.of(redirect));
    wish.put("grant_types", List.of("authorization_code", "refresh_token"));
    wish.put("response_types", List.of("code"));
    wish.put("token_endpoint_auth_method", wanted.word());
    if (!scopes.isEmpty()) {
      wish.put("scope", String.join(" ", scopes));
    }
    HttpAnswer answer =
        requests.post(endpoint, Map.of("Accept", "application/json"), Json.of(wish).text());
    JsonNode registered = Requests.object(answer);
    String id = registered == null ? null : Requests.text(registered, "client_id");
    if (!answer.successful() || registered == null || id == null || !TokenResponse.fits(id)) {
      throw settings.fault(
          "its authorization server %s registered no client (%s)"
              .formatted(Settings.shown(server.issuer()), reason(answer.status(), registered)));
    }
    String secret = Requests.text(registered, "client_secret");
    OAuthClient.Method method =
        method(Requests.text(registered, "token_endpoint_auth_method"), secret, server);
    return new OAuthClient(
        id, OAuthClient.Origin.REGISTERED, method, secret, redirect, scopes, expiry(registered));
  }

  /// The authentication method of the registered client: the one that the server stated, or else
  /// one that it accepts.
  private static OAuthClient.Method method(
      @Nullable String stated, @Nullable String secret, AuthorizationServer server) {
    if (secret == null) {
      return OAuthClient.Method.NONE;
    }
    List<OAuthClient.Method> usable =
        List.of(
            OAuthClient.Method.NONE,
            OAuthClient.Method.CLIENT_SECRET_BASIC,
            OAuthClient.Method.CLIENT_SECRET_POST);
    return usable.stream()
        .filter(method -> method.word().equals(stated))
        .findFirst()
        .orElseGet(() -> OAuthClient.Method.ofSecret(server.methods()));
  }

  private static @Nullable Instant expiry(JsonNode registered) {
    long seconds = registered.path("client_secret_expires_at").asLong(0);
    return seconds <= 0 || seconds > Instant.MAX.getEpochSecond()
        ? null
        : Instant.ofEpochSecond(seconds);
  }

  /// The server's reason, which may be shown since no secret has been exchanged yet.
  private static String reason(int status, @Nullable JsonNode answer) {
    String error = answer == null ? null : Requests.text(answer, "error");
    String description = answer == null ? null : Requests.text(answer, "error_description");
    String reason = "status " + status + (error == null ? "" : ", " + error);
    return Settings.shown(description == null ? reason : reason + ": " + description);
  }
}
