package dev.switchboard.mcp.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.UrlGuard;
import java.io.IOException;
import java.net.HttpURLConnection;
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
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// An MCP server with its authorization server, and the person who logs in there; every part of
/// what they say can be changed.
final class SimulatedAuthority implements AutoCloseable, Person {
  static final Consumer<Runnable> NO_CANCEL = action -> {};

  final StubWebhook server = StubWebhook.start();
  final StubWebhook authority = StubWebhook.start();
  final ManualTime time = new ManualTime();
  final TokenStore store = TokenStore.inMemory();

  /// The document about the MCP server, and that about the authorization server.
  final Map<String, Object> resource = new ConcurrentHashMap<>();

  final Map<String, Object> metadata = new ConcurrentHashMap<>();

  /// What the browser brings back beside `code` and `state`, or instead of them; empty removes.
  final Map<String, String> callback = new ConcurrentHashMap<>();

  /// What is answered in place of the usual, by path.
  final Map<String, StubAnswer> answers = new ConcurrentHashMap<>();

  /// What the registration and the token endpoint say beside the usual, or instead of it.
  final Map<String, Object> registration = new ConcurrentHashMap<>();

  final Map<String, Object> tokens = new ConcurrentHashMap<>();

  /// The pages that the person was shown.
  final List<URI> pages = new CopyOnWriteArrayList<>();

  private int given;

  SimulatedAuthority() {
    resource.put("resource", server.url("/mcp"));
    resource.put("authorization_servers", List.of(issuer()));
    metadata.put("issuer", issuer());
    metadata.put("authorization_endpoint", authority.url("/authorize"));
    metadata.put("token_endpoint", authority.url("/token"));
    metadata.put("registration_endpoint", authority.url("/register"));
    metadata.put("code_challenge_methods_supported", List.of("S256"));
    server.answer(this::asServer);
    authority.answer(this::asAuthority);
  }

  String issuer() {
    return "http://" + authority.hostAndPort();
  }

  /// Settings of the access, with this person.
  OAuthBuilder oauth(String... alsoAllowed) {
    List<String> allowed = new ArrayList<>(List.of(alsoAllowed));
    allowed.add(server.hostAndPort());
    allowed.add(authority.hostAndPort());
    GuardedHttp http = GuardedHttp.of(UrlGuard.of(allowed));
    return OAuth.builder("shop", server.url("/mcp"), http).store(store).time(time).person(this);
  }

  /// The header of credentials after the server refused a request without any.
  @Nullable String headerAfter401(OAuth oauth) throws IOException, InterruptedException {
    assertThat(oauth.renew(null, 401, challenge(), NO_CANCEL)).isTrue();
    return oauth.header(NO_CANCEL);
  }

  /// What the server wants of requests without credentials.
  String challenge() {
    return "Bearer resource_metadata=\"" + server.url("/about") + "\"";
  }

  /// The forms that the token endpoint got.
  List<Map<String, String>> tokenRequests() {
    return asked("/token").stream().map(request -> form(request.body())).toList();
  }

  List<StubRequest> asked(String path) {
    return authority.requests().stream().filter(request -> request.path().equals(path)).toList();
  }

  /// The parameters of the page that was shown last.
  Map<String, String> page() {
    return form(pages.getLast().getRawQuery());
  }

  private synchronized StubAnswer asServer(StubRequest request) {
    StubAnswer other = answers.get(request.path());
    if (other != null) {
      return other;
    }
    boolean about =
        List.of("/about", "/.well-known/oauth-protected-resource/mcp").contains(request.path());
    if (about && !resource.isEmpty()) {
      return json(200, resource);
    }
    return request.path().equals("/mcp")
        ? StubAnswer.status(401).header("WWW-Authenticate", challenge())
        : StubAnswer.of(404, "<html>");
  }

  private synchronized StubAnswer asAuthority(StubRequest request) {
    StubAnswer other = answers.get(request.path());
    if (other != null) {
      return other;
    }
    return switch (request.path()) {
      case "/.well-known/oauth-authorization-server" -> json(200, metadata);
      case "/register" -> json(201, with(registration, "client_id", "registered-client"));
      case "/token" -> tokens(form(request.body()));
      default -> StubAnswer.of(404, "");
    };
  }

  private StubAnswer tokens(Map<String, String> form) {
    if ("authorization_code".equals(form.get("grant_type"))) {
      assertThat(challenge(form.getOrDefault("code_verifier", "")))
          .isEqualTo(page().get("code_challenge"));
      assertThat(form).containsEntry("redirect_uri", page().get("redirect_uri"));
    }
    given++;
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("access_token", "access-" + given);
    all.put("refresh_token", "refresh-" + given);
    all.put("token_type", "Bearer");
    all.put("expires_in", 3600);
    tokens.forEach(all::put);
    return json(200, all);
  }

  /// Logs in at once: the browser is sent back with a code.
  @Override
  public void show(String name, URI page, Predicate<String> pasted) throws IOException {
    pages.add(page);
    URI back = URI.create(back());
    HttpURLConnection connection = (HttpURLConnection) back.toURL().openConnection();
    assertThat(connection.getResponseCode()).isIn(200, 400);
    connection.disconnect();
  }

  /// Where the browser is sent to after the last page.
  String back() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("code", "the-code");
    parameters.put("state", Objects.requireNonNull(page().get("state")));
    parameters.putAll(callback);
    parameters.values().removeIf(String::isEmpty);
    return page().get("redirect_uri") + '?' + Requests.form(parameters);
  }

  static Map<String, String> form(String text) {
    Map<String, String> form = new LinkedHashMap<>();
    for (String part : text.split("&", -1)) {
      String[] sides = part.split("=", 2);
      form.put(sides[0], URLDecoder.decode(sides[1], StandardCharsets.UTF_8));
    }
    return form;
  }

  private static Map<String, Object> with(Map<String, Object> others, String name, Object value) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put(name, value);
    all.putAll(others);
    return all;
  }

  private static StubAnswer json(int status, Object body) {
    return StubAnswer.of(status, Json.of(body).text());
  }

  private static String challenge(String verifier) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] hash = digest.digest(verifier.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.close();
    authority.close();
  }
}
