package dev.switchboard.mcp.oauth;

import dev.switchboard.time.Time;
import dev.switchboard.webhook.GuardedHttp;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.SecureRandom;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A builder of the OAuth access to one MCP server. For one thread.
public final class OAuthBuilder {
  private final String name;
  private final String url;
  private final GuardedHttp http;
  private @Nullable String clientId;
  private @Nullable String secret;
  private @Nullable SigningKey key;
  private @Nullable String issuer;
  private @Nullable String document;
  private List<String> scopes = List.of();
  private boolean machine;
  private String redirect = "http://127.0.0.1/callback";
  private @Nullable Person person;
  private TokenStore store = TokenStore.inMemory();
  private Time time = Time.SYSTEM;
  private RandomGenerator random = new SecureRandom();

  OAuthBuilder(String name, String url, GuardedHttp http) {
    this.name = name;
    this.url = url;
    this.http = http;
  }

  /// Sets the client that was registered manually at the authorization server.
  public OAuthBuilder clientId(String id) {
    this.clientId = id;
    return this;
  }

  /// Sets the secret of that client.
  public OAuthBuilder clientSecret(String secret) {
    this.secret = secret;
    return this;
  }

  /// Sets the private key of that client, or of the one with a metadata document, instead of a
  /// secret.
  public OAuthBuilder clientKey(SigningKey key) {
    this.key = key;
    return this;
  }

  /// Sets the only authorization server, as its metadata names it. Without it, a configured client
  /// belongs to the server that it was first used with.
  public OAuthBuilder issuer(String issuer) {
    this.issuer = issuer;
    return this;
  }

  /// Sets the URL of a Client ID Metadata Document, which is the client's id if the authorization
  /// server supports these; otherwise a client is registered.
  public OAuthBuilder metadataDocument(String url) {
    this.document = url;
    return this;
  }

  /// Sets the first scopes to request, instead of those that the server names.
  public OAuthBuilder scopes(List<String> scopes) {
    this.scopes = List.copyOf(scopes);
    return this;
  }

  /// Makes the configured client log in itself (the grant `client_credentials`), without a person.
  public OAuthBuilder machine() {
    this.machine = true;
    return this;
  }

  /// Sets the redirect URL of the browser after a login: `http` on 127.0.0.1 or localhost, without
  /// a port for a free one. By default `http://127.0.0.1/callback`.
  public OAuthBuilder redirect(String url) {
    this.redirect = url;
    return this;
  }

  /// Sets the person who can log in; with null, the default, a required login is an error.
  public OAuthBuilder person(@Nullable Person person) {
    this.person = person;
    return this;
  }

  /// Sets where logins are stored. By default in memory.
  public OAuthBuilder store(TokenStore store) {
    this.store = store;
    return this;
  }

  /// Sets the clock.
  public OAuthBuilder time(Time time) {
    this.time = time;
    return this;
  }

  /// Sets the source of states and verifiers, which should be secure; by default a `SecureRandom`.
  public OAuthBuilder random(RandomGenerator random) {
    this.random = random;
    return this;
  }

  /// Builds the credentials.
  ///
  /// @throws IllegalArgumentException that names the invalid setting; no secret is quoted
  public OAuth build() {
    WebAddress server;
    try {
      server = WebAddress.read(url, http.guard());
      Redirect.place(redirect);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    checkClient();
    List<String> unfit = scopes.stream().filter(scope -> !Challenge.isScope(scope)).toList();
    if (!unfit.isEmpty()) {
      throw wrong("'" + String.join("', '", unfit) + "' is not a scope");
    }
    return new OAuth(
        new Settings(
            name, server, http, clientId, secret, key, issuer, document, scopes, machine, redirect,
            person, store, time, random));
  }

  private void checkClient() {
    boolean proves = secret != null || key != null;
    if (secret != null && key != null) {
      throw wrong("a client has a secret or a private key, not both");
    }
    if (clientId != null && !TokenResponse.fits(clientId)) {
      throw wrong("a client's name must be printable ASCII without spaces");
    }
    if (secret != null && (clientId == null || secret.isEmpty())) {
      throw wrong("a secret must not be empty, and belongs to the name of a client");
    }
    if (key != null && clientId == null && document == null) {
      throw wrong("a private key belongs to the name or the metadata document of a client");
    }
    if (machine && (clientId == null || !proves)) {
      throw wrong("a machine needs the name of a client, and its secret or private key");
    }
    if (document != null && !isDocument(document)) {
      throw wrong("a client's metadata document must be an https URL with a path");
    }
  }

  private static boolean isDocument(String text) {
    try {
      URI place = new URI(text);
      String path = place.getRawPath();
      return "https".equals(place.getScheme())
          && place.getHost() != null
          && place.getRawUserInfo() == null
          && place.getRawFragment() == null
          && path != null
          && path.length() > 1;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private IllegalArgumentException wrong(String clause) {
    return new IllegalArgumentException("OAuth of MCP server '" + name + "': " + clause);
  }
}
