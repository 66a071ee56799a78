package dev.switchboard.mcp.oauth;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A request to a person to authorize this program, and the check of the answer.
///
/// @param state that the answer must contain
/// @param verifier for the exchange of the code (PKCE, RFC 7636)
/// @param scopes to request; empty for the server's choice
record AuthorizationRequest(
    AuthorizationServer server,
    OAuthClient client,
    String resource,
    String redirect,
    List<String> scopes,
    String state,
    String verifier) {
  private static final String OFFLINE = "offline_access";
  private static final Pattern HARMLESS =
      Pattern.compile(
          "(?:https://[A-Za-z0-9.\\[\\]:-]+"
              + "|http://(?:localhost|127\\.[0-9.]+|\\[::1\\])(?::[0-9]{1,5})?)"
              + "(?:[/?][A-Za-z0-9._~:/?\\[\\]@&=+,%-]*)?");

  /// The authorization endpoint of the server.
  ///
  /// @throws IllegalArgumentException when a request would not be safe, with the reason as a clause
  static WebAddress endpoint(AuthorizationServer server) {
    WebAddress endpoint = server.authorization();
    if (endpoint == null) {
      throw new IllegalArgumentException("names no authorization endpoint");
    }
    if (!server.pkce()) {
      throw new IllegalArgumentException(
          "does not say that it takes PKCE with S256, without which a login is not safe");
    }
    return endpoint;
  }

  /// The page of this request.
  ///
  /// @throws IllegalArgumentException when a request would not be safe, with the reason as a clause
  URI page() {
    WebAddress endpoint = endpoint(server);
    Map<String, String> parameters = parameters();
    for (String part : endpoint.query() == null ? new String[0] : endpoint.query().split("&", -1)) {
      String name = URLDecoder.decode(part.split("=", 2)[0], StandardCharsets.UTF_8);
      if (parameters.containsKey(name)) {
        throw new IllegalArgumentException(
            "has an authorization endpoint that holds parameters of a login already");
      }
    }
    String page =
        endpoint.origin()
            + endpoint.path()
            + '?'
            + (endpoint.query() == null ? "" : endpoint.query() + '&')
            + Requests.form(parameters);
    if (!isHarmless(page)) {
      throw new IllegalArgumentException(
          "has an authorization endpoint with characters that no browser is started with");
    }
    return URI.create(page);
  }

  /// Whether a browser may be started with that URL: on `https` or this machine, and without
  /// characters that a shell or a terminal interprets.
  static boolean isHarmless(String url) {
    return HARMLESS.matcher(url).matches();
  }

  private Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("response_type", "code");
    parameters.put("client_id", client.id());
    parameters.put("redirect_uri", redirect);
    parameters.put("state", state);
    parameters.put("code_challenge", challenge());
    parameters.put("code_challenge_method", "S256");
    parameters.put("resource", resource);
    List<String> wanted = new ArrayList<>(scopes);
    if (!scopes.isEmpty() && server.scopes().contains(OFFLINE) && !scopes.contains(OFFLINE)) {
      wanted.add(OFFLINE);
    }
    if (wanted.contains(OFFLINE)) {
      // Without it, OpenID Connect gives no refresh token.
      parameters.put("prompt", "consent");
    }
    if (!wanted.isEmpty()) {
      parameters.put("scope", String.join(" ", wanted));
    }
    return parameters;
  }

  private String challenge() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] hash = digest.digest(verifier.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /// The code in the answer to this request.
  ///
  /// @param answer the parameters of the redirect, with a checked state
  /// @throws OAuthException when another server answered (RFC 9207), or access was denied
  String code(Map<String, String> answer, Settings settings) throws OAuthException {
    String issuer = answer.get("iss");
    if (issuer == null ? server.namesItself() : !issuer.equals(server.issuer())) {
      // Nothing else in such an answer may be used or shown.
      throw settings.fault(
          "the answer to the login did not come from the authorization server that was asked, %s"
              .formatted(Settings.shown(server.issuer())));
    }
    if (answer.containsKey("error")) {
      String code = TokenEndpoint.knownError(answer.get("error"));
      throw settings.fault(
          "the login was refused (%s)".formatted(code.isEmpty() ? "no known reason" : code));
    }
    @Nullable String code = answer.get("code");
    if (code == null || !TokenResponse.fits(code)) {
      throw settings.fault("the answer to the login holds no code");
    }
    return code;
  }

  /// The client only.
  @Override
  public String toString() {
    return "AuthorizationRequest[" + client + ']';
  }
}
