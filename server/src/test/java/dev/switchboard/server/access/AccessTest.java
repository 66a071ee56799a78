package dev.switchboard.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Json;
import dev.switchboard.mount.Role;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {
  @TempDir private Path folder;
  private GuardedServer server;
  private RawHttp http;

  @BeforeEach
  void start() {
    server = GuardedServer.start(folder);
    http = server.http;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String code(RawHttp.Answer answer) {
    return Json.text(answer.body()).tree().path("code").stringValue("");
  }

  private String own() {
    return "Origin: http://localhost:" + http.port();
  }

  private RawHttp.Answer login(String token, String... headers) throws IOException {
    return http.sendBody("{\"token\":\"" + token + "\"}", "POST /v1/login", headers);
  }

  /// The header with the cookie of a new login.
  private String cookie(String name, Role role) throws IOException {
    RawHttp.Answer answer = login(server.tokens.add(name, role), own());
    assertThat(answer.status()).isEqualTo(204);
    return "Cookie: " + Objects.requireNonNull(answer.header("Set-Cookie")).split(";")[0];
  }

  @ParameterizedTest
  @CsvSource({
    "CHAT, /v1/me, 200", "CHAT, /v1/approvals, 403", "CHAT, /v1/all, 403",
    "APPROVE, /v1/me, 200", "APPROVE, /v1/approvals, 200", "APPROVE, /v1/all, 403",
    "OPERATE, /v1/me, 200", "OPERATE, /v1/approvals, 200", "OPERATE, /v1/all, 200",
  })
  void aRoleMayDoWhatThoseBeforeItMay(Role role, String path, int status) throws IOException {
    assertThat(http.send("GET " + path, server.bearer("ada", role)).status()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer",
        "Bearer ",
        "Bearer sbt_wrong",
        "Basic YTpi",
        "sbt_x",
        "Bearer a\r\nAuthorization: Bearer b"
      })
  void withoutAValidTokenNothingClosedIsAnswered(String authorization) throws IOException {
    RawHttp.Answer answer = http.send("GET /v1/me", "Authorization: " + authorization);

    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
    assertThat(code(answer)).isEqualTo("unauthorized");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/me", "/v1/nothing", "/agui/x", "/ai/x/y/stream", "/v1/"})
  void aStrangerDoesNotLearnWhatIsThere(String path) throws IOException {
    for (String method :
        new String[] {"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"}) {
      assertThat(http.send(method + " " + path).status()).as(method).isEqualTo(401);
    }
  }

  @Test
  void theConsolesPageNeedsNoToken() throws IOException {
    assertThat(http.send("GET /").body()).isEqualTo("<p>console</p>");
  }

  @Test
  void twoTokensAreNone() throws IOException {
    String bearer = server.bearer("ada", Role.CHAT);
    assertThat(http.send("GET /v1/me", bearer, bearer).status()).isEqualTo(401);
  }

  @Test
  void aRevokedTokenAndItsLoginsEndAtOnce() throws IOException {
    String token = server.tokens.add("ada", Role.CHAT);
    String cookie =
        "Cookie: " + Objects.requireNonNull(login(token).header("Set-Cookie")).split(";")[0];
    assertThat(http.send("GET /v1/me", cookie).body()).isEqualTo("ada");

    Tokens.open(folder.resolve("tokens"), null, server.time).revoke("ada");

    assertThat(http.send("GET /v1/me", cookie).status()).isEqualTo(401);
    assertThat(http.send("GET /v1/me", "Authorization: Bearer " + token).status()).isEqualTo(401);
    server.tokens.add("ada", Role.OPERATE);
    assertThat(http.send("GET /v1/me", cookie).status()).isEqualTo(401);
  }

  @Test
  void aLoginIsACookieThatNoScriptAndNoOtherSiteGets() throws IOException {
    String token = server.tokens.add("ada", Role.CHAT);
    String cookie = Objects.requireNonNull(login(token, own()).header("Set-Cookie"));

    assertThat(cookie)
        .matches(
            "switchboard-%d=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict".formatted(http.port()))
        .doesNotContain(token);
    assertThat(login(token, own()).header("Set-Cookie")).isNotEqualTo(cookie);
  }

  @Test
  void theCookieOfAPublicServerIsSecure() throws IOException {
    server.close();
    server =
        GuardedServer.start(folder, it -> it.withPublicUrl(URI.create("https://agents.example")));
    http = server.http;
    String token = server.tokens.add("ada", Role.CHAT);

    String cookie =
        Objects.requireNonNull(login(token, "Origin: https://agents.example").header("Set-Cookie"));

    assertThat(cookie).startsWith("__Host-switchboard=").endsWith("; Secure");
    assertThat(http.send("GET /v1/me", "Cookie: " + cookie.split(";")[0]).body()).isEqualTo("ada");
  }

  @Test
  void aLoginLastsTwelveHoursWithoutARequest() throws IOException {
    String cookie = cookie("ada", Role.CHAT);
    for (int i = 0; i < 3; i++) {
      server.time.advance(Duration.ofHours(12).minusNanos(1));
      assertThat(http.send("GET /v1/me", cookie).status()).isEqualTo(200);
    }
    server.time.advance(Duration.ofHours(12));
    assertThat(http.send("GET /v1/me", cookie).status()).isEqualTo(401);
  }

  @Test
  void aLogoutEndsTheLogin() throws IOException {
    String cookie = cookie("ada", Role.CHAT);

    RawHttp.Answer answer = http.send("POST /v1/logout", cookie, own());

    assertThat(answer.status()).isEqualTo(204);
    assertThat(answer.header("Set-Cookie"))
        .startsWith("switchboard-" + http.port() + "=;")
        .endsWith("; Max-Age=0");
    assertThat(http.send("GET /v1/me", cookie).status()).isEqualTo(401);
    assertThat(http.send("POST /v1/logout").status()).isEqualTo(204);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: https://evil.example",
        "Origin: null",
        "Origin: http://localhost:1",
        "Origin: ",
        "X-Nothing: 1",
        "Referer: http://localhost/"
      })
  void withACookieOnlyOwnPagesChangeAnything(String header) throws IOException {
    String cookie = cookie("ada", Role.OPERATE);

    for (String line : new String[] {"POST /v1/things", "DELETE /v1/me", "POST /v1/logout"}) {
      RawHttp.Answer answer = http.sendBody("[1]", line, cookie, header);
      assertThat(answer.status()).as(line).isEqualTo(403);
      assertThat(code(answer)).isEqualTo("forbidden");
    }
    assertThat(http.send("GET /v1/me", cookie, header).status()).isEqualTo(200);
    assertThat(http.sendBody("[1]", "POST /v1/things", cookie, own()).body()).isEqualTo("1");
  }

  @Test
  void aSocketIsOpenedByOwnPagesAndTokensAlone() throws IOException {
    String cookie = cookie("ada", Role.CHAT);

    assertThat(handshake(cookie, own())).startsWith("HTTP/1.1 101 ");
    assertThat(handshake(server.bearer("bob", Role.CHAT), "X: 1")).startsWith("HTTP/1.1 101 ");
    assertThat(handshake(cookie, "Origin: https://evil.example")).startsWith("HTTP/1.1 403 ");
    assertThat(handshake(cookie, "X: 1")).startsWith("HTTP/1.1 403 ");
    assertThat(handshake("X: 1", own())).startsWith("HTTP/1.1 401 ");
  }

  /// The first line of what is answered to one who wants a socket.
  private String handshake(String credential, String more) throws IOException {
    try (Socket socket = http.open()) {
      String head =
          """
          GET /v1/socket HTTP/1.1
          Host: localhost:%d
          Upgrade: websocket
          Connection: Upgrade
          Sec-WebSocket-Version: 13
          Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
          %s
          %s

          """
              .formatted(http.port(), credential, more)
              .replace("\n", "\r\n");
      socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readNBytes(20), StandardCharsets.UTF_8);
    }
  }

  @Test
  void anotherSiteCannotLogABrowserIn() throws IOException {
    String token = server.tokens.add("ada", Role.CHAT);
    assertThat(login(token, "Origin: https://evil.example").status()).isEqualTo(403);
    assertThat(login(token, "Origin: null").status()).isEqualTo(403);
    assertThat(login(token).status()).isEqualTo(204);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "",
        "\"",
        "%00",
        "../../etc/passwd",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
      })
  void aForgedCookieIsNone(String value) throws IOException {
    String name = "switchboard-" + http.port();
    assertThat(http.send("GET /v1/me", "Cookie: " + name + "=" + value).status()).isEqualTo(401);
    assertThat(http.send("GET /v1/me", "Cookie: __Host-switchboard=" + value).status())
        .isEqualTo(401);
    assertThat(http.send("GET /v1/me", "Cookie: =;;,\u0001" + value).status()).isIn(400, 401);
  }

  @Test
  void aTokenIsNotACookieNorACookieAToken() throws IOException {
    String token = server.tokens.add("ada", Role.CHAT);
    String cookie = cookie("bob", Role.CHAT);

    assertThat(http.send("GET /v1/me", "Cookie: switchboard-" + http.port() + "=" + token).status())
        .isEqualTo(401);
    assertThat(http.send("GET /v1/me", "Authorization: Bearer " + cookie.split("=")[1]).status())
        .isEqualTo(401);
  }

  @Test
  void logInsThatFailAreFew() throws IOException {
    String token = server.tokens.add("ada", Role.CHAT);
    for (int i = 0; i < 10; i++) {
      assertThat(login("wrong").status()).isEqualTo(401);
    }

    RawHttp.Answer eleventh = login("wrong");
    assertThat(eleventh.status()).isEqualTo(429);
    assertThat(eleventh.header("Retry-After")).isEqualTo("5");
    assertThat(code(eleventh)).isEqualTo("rate_limited");
    assertThat(login("wrong", "X-Forwarded-For: 198.51.100.7").status()).isEqualTo(429);
    assertThat(http.send("GET /v1/me", "Authorization: Bearer wrong").status()).isEqualTo(429);
    // What is valid is not held up by those who guess from the same address.
    assertThat(http.send("GET /v1/me", "Authorization: Bearer " + token).status()).isEqualTo(200);
    String cookie = Objects.requireNonNull(login(token, own()).header("Set-Cookie")).split(";")[0];
    assertThat(http.send("GET /v1/me", "Cookie: " + cookie).status()).isEqualTo(200);
    assertThat(login("wrong").status()).isEqualTo(429);

    server.time.advance(Duration.ofSeconds(5));
    assertThat(login("wrong").status()).isEqualTo(401);
    assertThat(login("wrong").status()).isEqualTo(429);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "[]", "null", "{\"token\":1}", "{\"token\":null}", "\"x\"", " "})
  void aLoginThatCannotBeReadIsABadRequest(String body) throws IOException {
    RawHttp.Answer answer = http.sendBody(body, "POST /v1/login");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(code(answer)).isEqualTo("bad_request");
  }

  @Test
  void aPrincipalMakesABurstOfRequestsThenSoManyASecond() throws IOException {
    server.close();
    server = GuardedServer.start(folder, settings -> settings.withRate(3, 2));
    http = server.http;
    String ada = server.bearer("ada", Role.CHAT);
    for (int i = 0; i < 3; i++) {
      assertThat(http.send("GET /v1/me", ada).status()).isEqualTo(200);
    }

    RawHttp.Answer fourth = http.send("GET /v1/me", ada);
    assertThat(fourth.status()).isEqualTo(429);
    assertThat(fourth.header("Retry-After")).isEqualTo("1");
    assertThat(http.send("GET /v1/me", server.bearer("bob", Role.CHAT)).status()).isEqualTo(200);

    server.time.advance(Duration.ofMillis(500));
    assertThat(http.send("GET /v1/me", ada).status()).isEqualTo(200);
    assertThat(http.send("GET /v1/me", ada).status()).isEqualTo(429);
  }

  @Test
  void everyAnswerHasTheHeadersThatKeepPagesApart() throws IOException {
    for (RawHttp.Answer answer :
        new RawHttp.Answer[] {
          http.send("GET /"), http.send("GET /v1/me"), http.send("GET /none"), http.send("GET /%zz")
        }) {
      assertThat(answer.header("Content-Security-Policy"))
          .contains("default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'")
          .doesNotContain("unsafe");
      assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
      assertThat(answer.header("Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
      assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
      assertThat(answer.header("Server")).isNull();
      assertThat(answer.header("Access-Control-Allow-Origin")).isNull();
    }
  }

  @Test
  void anotherSitesPreflightGetsNothing() throws IOException {
    RawHttp.Answer answer =
        http.send(
            "OPTIONS /v1/things",
            "Origin: https://evil.example",
            "Access-Control-Request-Method: POST",
            "Access-Control-Request-Headers: authorization");
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.head()).noneMatch(line -> line.startsWith("Access-Control"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-HTTP-Method-Override", "X-HTTP-Method", "x-method-override"})
  void aRequestIsOfTheMethodThatItsFirstLineNames(String header) throws IOException {
    String cookie = cookie("ada", Role.CHAT);

    // Otherwise it would pass the check of a method that only reads.
    assertThat(http.send("GET /v1/me", cookie, "Origin: http://evil.example", header + ": POST"))
        .satisfies(answer -> assertThat(answer.status()).isEqualTo(200));
    assertThat(http.send("POST /v1/things", cookie, header + ": GET").status()).isEqualTo(403);
    String bearer = server.bearer("bob", Role.CHAT);
    assertThat(http.send("GET /v1/me", bearer, header + ": DELETE").status()).isEqualTo(200);
  }

  @Test
  void pagesOfAllowedOriginsUseTokensButNoCookies() throws IOException {
    String other = "Origin: https://app.example.com";
    try (GuardedServer open =
        GuardedServer.start(
            folder.resolve("cors"),
            settings -> settings.withOtherOrigins(List.of("https://app.example.com")))) {
      RawHttp.Answer asked =
          open.http.send(
              "OPTIONS /v1/things",
              other,
              "Access-Control-Request-Method: POST",
              "Access-Control-Request-Headers: authorization,content-type");
      assertThat(asked.status()).isEqualTo(204);
      assertThat(asked.header("Access-Control-Allow-Origin")).isEqualTo("https://app.example.com");
      assertThat(asked.header("Access-Control-Allow-Headers"))
          .isEqualTo("authorization,content-type");
      assertThat(asked.header("Access-Control-Allow-Methods")).contains("POST");
      assertThat(asked.header("Access-Control-Allow-Credentials")).isNull();

      RawHttp.Answer read = open.http.send("GET /v1/me", open.bearer("ada", Role.CHAT), other);
      assertThat(read.status()).isEqualTo(200);
      assertThat(read.header("Access-Control-Allow-Origin")).isEqualTo("https://app.example.com");
      RawHttp.Answer refused = open.http.send("GET /v1/me", "Authorization: Bearer x", other);
      assertThat(refused.status()).isEqualTo(401);
      assertThat(refused.header("Access-Control-Allow-Origin")).isNotNull();

      String foreign = "Origin: https://evil.example";
      assertThat(
              open.http
                  .send("OPTIONS /v1/things", foreign, "Access-Control-Request-Method: POST")
                  .header("Access-Control-Allow-Origin"))
          .isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"*", "null", "app.example.com", "https://a/", "https://a:443", "https://A.b", ""})
  void anAllowedOriginIsOneAsBrowsersSendIt(String origin) {
    AccessSettings settings = AccessSettings.of("127.0.0.1");
    assertThatThrownBy(() -> settings.withOtherOrigins(List.of(origin)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("as browsers send it");
  }
}
