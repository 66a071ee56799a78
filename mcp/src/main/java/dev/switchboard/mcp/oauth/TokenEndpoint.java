package dev.switchboard.mcp.oauth;

import dev.switchboard.http.HttpAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Requests tokens from an authorization server.
final class TokenEndpoint {
  private static final String ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  private static final long ASSERTION_SECONDS = 300;

  /// The errors that are reported by name; any other word may be a secret that the server returns.
  private static final Set<String> ERRORS =
      Set.of(
          "access_denied",
          "consent_required",
          "interaction_required",
          "invalid_client",
          "invalid_client_metadata",
          "invalid_grant",
          "invalid_redirect_uri",
          "invalid_request",
          "invalid_scope",
          "invalid_target",
          "login_required",
          "server_error",
          "temporarily_unavailable",
          "unauthorized_client",
          "unsupported_grant_type",
          "unsupported_response_type");

  private final Settings settings;
  private final Requests requests;

  TokenEndpoint(Settings settings, Requests requests) {
    this.settings = settings;
    this.requests = requests;
  }

  /// The login, with tokens for a code.
  Login exchanged(Login login, String code, String verifier, String redirect) throws IOException {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", redirect);
    form.put("code_verifier", verifier);
    return asked(login, form, null);
  }

  /// The login, with new tokens for a refresh token.
  Login refreshed(Login login, String refresh) throws IOException {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "refresh_token");
    form.put("refresh_token", refresh);
    return asked(login, form, refresh);
  }

  /// The login, with tokens for the client itself.
  Login granted(Login login) throws IOException {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "client_credentials");
    if (!login.asked().isEmpty()) {
      form.put("scope", String.join(" ", login.asked()));
    }
    return asked(login, form, null);
  }

  private Login asked(Login login, Map<String, String> form, @Nullable String refresh)
      throws IOException {
    form.put("resource", login.resource());
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "application/x-www-form-urlencoded");
    headers.put("Accept", "application/json");
    try {
      prove(login, form, headers);
      WebAddress endpoint = settings.address(login.endpoint());
      HttpAnswer answer = requests.post(endpoint, headers, Requests.form(form));
      JsonNode object = Requests.object(answer);
      if (!answer.successful() || object == null || object.has("error")) {
        throw refusal(answer.status(), object, login.issuer());
      }
      return login.with(TokenResponse.of(object, refresh, settings.time().now()));
    } catch (IllegalArgumentException e) {
      throw settings.fault(
          "its authorization server %s %s"
              .formatted(Settings.shown(login.issuer()), e.getMessage()));
    }
  }

  private OAuthException refusal(int status, @Nullable JsonNode object, String issuer) {
    String code = object == null ? "" : knownError(Requests.text(object, "error"));
    boolean passing = code.equals("server_error") || code.equals("temporarily_unavailable");
    boolean named = object != null && object.has("error");
    return settings.fault(
        "its authorization server %s gave no token: %s"
            .formatted(Settings.shown(issuer), code.isEmpty() ? "status " + status : code),
        named && !passing && status <= 401);
  }

  /// The name of an error; empty if it is not a known one.
  static String knownError(@Nullable String error) {
    return error != null && ERRORS.contains(error) ? error : "";
  }

  private void prove(Login login, Map<String, String> form, Map<String, String> headers) {
    OAuthClient client = login.client();
    switch (client.method()) {
      case NONE -> form.put("client_id", client.id());
      case CLIENT_SECRET_BASIC -> {
        String pair = Requests.escaped(client.id()) + ':' + Requests.escaped(secret(client));
        byte[] bytes = pair.getBytes(StandardCharsets.US_ASCII);
        headers.put("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes));
      }
      case CLIENT_SECRET_POST -> {
        form.put("client_id", client.id());
        form.put("client_secret", secret(client));
      }
      case PRIVATE_KEY_JWT -> {
        form.put("client_id", client.id());
        form.put("client_assertion_type", ASSERTION);
        form.put("client_assertion", assertion(login));
      }
    }
  }

  private String secret(OAuthClient client) {
    boolean configured = client.origin() == OAuthClient.Origin.CONFIGURED;
    String secret = configured ? settings.secret() : client.secret();
    if (secret == null) {
      throw new IllegalArgumentException("wants a secret, and none is configured");
    }
    return secret;
  }

  private String assertion(Login login) {
    SigningKey key = settings.key();
    if (key == null) {
      throw new IllegalArgumentException("wants a signature, and no private key is configured");
    }
    Instant now = settings.time().now();
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", login.client().id());
    claims.put("sub", login.client().id());
    claims.put("aud", login.issuer());
    claims.put("jti", random(settings.random()));
    claims.put("iat", now.getEpochSecond());
    claims.put("exp", now.getEpochSecond() + ASSERTION_SECONDS);
    return key.sign(claims, login.algorithms());
  }

  /// An unpredictable text.
  static String random(RandomGenerator random) {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
