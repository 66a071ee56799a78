package dev.switchboard.mcp.oauth;

import static dev.switchboard.mcp.oauth.SimulatedAuthority.NO_CANCEL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.switchboard.json.Json;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.webhook.GuardedHttp;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What servers and pages say that must not be believed.
class OAuthRefusalsTest {
  private static final String OAUTH = "/.well-known/oauth-authorization-server";
  private static final String LONG = "x".repeat(300_000);

  private final SimulatedAuthority world = new SimulatedAuthority();

  @AfterEach
  void close() {
    world.close();
  }

  static Stream<Arguments> documentsThatNoOneIsSentToLogInBy() {
    return Stream.of(
        about("another server", w -> w.resource.put("resource", "https://evil.example/mcp")),
        about("another server", w -> w.resource.put("resource", w.server.url("/mcp/deeper"))),
        about("another server", w -> w.resource.put("resource", w.server.url("/mc"))),
        about("another server", w -> w.resource.put("resource", w.server.url("/mcp?x=1"))),
        about("may not be opened", w -> w.resource.put("resource", w.server.url("/mcp#x"))),
        about("does not say what it is about", w -> w.resource.remove("resource")),
        about(
            "names no authorization server",
            w -> w.resource.put("authorization_servers", List.of())),
        about(
            "only https URLs are used",
            w -> w.resource.put("authorization_servers", List.of("http://auth.example"))),
        about(
            "10.0.0.0/8",
            w -> w.resource.put("authorization_servers", List.of("https://10.0.0.1"))),
        about(
            "only http and https URLs are opened",
            w -> w.resource.put("authorization_servers", List.of("file:///etc/passwd"))),
        about(
            "has a query",
            w -> w.resource.put("authorization_servers", List.of(w.issuer() + "/?a=b"))),
        about("cannot be read (status 200)", w -> w.answers.put("/about", text("<html>"))),
        about("cannot be read (status 200)", w -> w.answers.put("/about", text("[]"))),
        about(
            "cannot be read (status 200)",
            w -> w.answers.put("/about", text("[".repeat(300) + "]".repeat(300)))),
        about(
            "cannot be read (status 302)",
            w ->
                w.answers.put(
                    "/about", StubAnswer.status(302).header("Location", w.server.url("/else")))),
        about("response too large", w -> w.answers.put("/about", StubAnswer.endless())),
        about("response too large", w -> w.answers.put("/about", text("{\"a\":\"" + LONG + "\"}"))),
        about("is of another", w -> w.metadata.put("issuer", "https://honest.example")),
        about("is of another", w -> w.metadata.put("issuer", w.issuer() + "/")),
        about("is of another", w -> w.metadata.remove("issuer")),
        about("there is no metadata", w -> w.answers.put(OAUTH, StubAnswer.of(404, "{}"))),
        about("there is no metadata", w -> w.answers.put(OAUTH, text("{\"issuer\": 1, "))),
        about("answers 503", w -> w.answers.put(OAUTH, StubAnswer.of(503, ""))),
        about("response too large", w -> w.answers.put(OAUTH, StubAnswer.endless())),
        about("PKCE", w -> w.metadata.remove("code_challenge_methods_supported")),
        about("PKCE", w -> w.metadata.put("code_challenge_methods_supported", List.of("plain"))),
        about("names no token endpoint", w -> w.metadata.remove("token_endpoint")),
        about("names no authorization endpoint", w -> w.metadata.remove("authorization_endpoint")),
        about(
            "token_endpoint may not be opened",
            w -> w.metadata.put("token_endpoint", "http://auth.example/token")),
        about(
            "authorization_endpoint may not be opened",
            w -> w.metadata.put("authorization_endpoint", "javascript:alert(1)")),
        about(
            "authorization_endpoint may not be opened",
            w -> w.metadata.put("authorization_endpoint", "https://user@auth.example/")),
        about(
            "registration_endpoint may not be opened",
            w -> w.metadata.put("registration_endpoint", "http://169.254.169.254/latest")),
        about(
            "holds parameters of a login already",
            w -> w.metadata.put("authorization_endpoint", w.issuer() + "/a?%63lient_id=x")),
        about(
            "with characters that no browser is started with",
            w -> w.metadata.put("authorization_endpoint", w.issuer() + "/a;$(reboot)")),
        about("register one there", w -> w.metadata.remove("registration_endpoint")),
        about(
            "registered no client (status 400, invalid_redirect_uri: not \\u001b[1mhere)",
            w ->
                w.answers.put(
                    "/register",
                    StubAnswer.of(
                        400,
                        "{\"error\":\"invalid_redirect_uri\",\"error_description\":\"not"
                            + " \\u001b[1mhere\"}"))),
        about("registered no client", w -> w.registration.put("client_id", "a b\n")),
        about("response too large", w -> w.registration.put("client_id", LONG)));
  }

  @ParameterizedTest
  @MethodSource("documentsThatNoOneIsSentToLogInBy")
  void showsNoPage(String clause, Consumer<SimulatedAuthority> change) {
    change.accept(world);
    OAuth oauth = world.oauth().build();

    assertThatThrownBy(() -> oauth.renew(null, 401, world.challenge(), NO_CANCEL))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(clause);
    assertThat(world.pages).isEmpty();
    assertThat(world.tokenRequests()).isEmpty();
  }

  static Stream<Arguments> answersOfTheBrowserThatAreNotBelieved() {
    return Stream.of(
        back("did not come from the authorization server", Map.of("iss", "https://evil.example")),
        back(
            "did not come from the authorization server",
            Map.of("iss", "https://evil.example", "error", "access_denied", "code", "")),
        back("holds no code", Map.of("code", "")),
        back("holds no code", Map.of("code", "a\r\nb")),
        back("refused (access_denied)", Map.of("code", "", "error", "access_denied")),
        back(
            "refused (no known reason)",
            Map.of("error", "<b>call 5551234567", "error_uri", "x:y")));
  }

  @ParameterizedTest
  @MethodSource("answersOfTheBrowserThatAreNotBelieved")
  void redeemsNoCode(String clause, Map<String, String> answer) {
    world.callback.putAll(answer);
    OAuth oauth = world.oauth().build();

    assertThatThrownBy(() -> oauth.renew(null, 401, world.challenge(), NO_CANCEL))
        .isInstanceOf(OAuthException.class)
        .hasMessageContaining(clause)
        .hasMessageNotContainingAny("evil", "5551234567");
    assertThat(world.tokenRequests()).isEmpty();
  }

  @Test
  void comparesTheIssuerOfAnAnswerLetterByLetter() throws Exception {
    world.metadata.put("authorization_response_iss_parameter_supported", true);
    for (String issuer :
        List.of("", world.issuer() + "/", world.issuer().replace("http", "HTTP"))) {
      world.callback.put("iss", issuer);
      assertThatThrownBy(() -> world.oauth().build().renew(null, 401, world.challenge(), NO_CANCEL))
          .hasMessageContaining("did not come from the authorization server");
    }
    world.callback.put("iss", world.issuer());

    assertThat(world.headerAfter401(world.oauth().build())).isEqualTo("Bearer access-1");
  }

  @Test
  void waitsOnWhenSomethingComesWithAnotherState() throws Exception {
    OAuth oauth =
        world
            .oauth()
            .person((name, page, pasted) -> {
              world.callback.put("state", "guessed");
              world.show(name, page, pasted);
              world.callback.clear();
              world.show(name, page, pasted);
            })
            .build();

    assertThat(world.headerAfter401(oauth)).isEqualTo("Bearer access-1");
  }

  static Stream<Arguments> tokensThatNoRequestMayHold() {
    return Stream.of(
        token("gave no access token", "access_token", "a\nX-Evil: 1"),
        token("gave no access token", "access_token", "café"),
        token("gave no access token", "access_token", ""),
        token("gave no access token", "access_token", 7),
        token("gave no access token", "access_token", "x".repeat(40_000)),
        token("response too large", "access_token", LONG),
        token("not a bearer token", "token_type", "DPoP"),
        token("refresh token that cannot be sent back", "refresh_token", "a b"),
        token("gave no token: status 200", "error", "bad_verification_code"));
  }

  @ParameterizedTest
  @MethodSource("tokensThatNoRequestMayHold")
  void keepsNoToken(String clause, String member, Object value) throws Exception {
    world.tokens.put(member, value);
    OAuth oauth = world.oauth().build();

    assertThatThrownBy(() -> oauth.renew(null, 401, world.challenge(), NO_CANCEL))
        .hasMessageContaining(clause)
        .hasMessageNotContaining("Evil");
    assertThat(oauth.header(NO_CANCEL)).isNull();
    assertThat(world.store.read(world.server.url("/mcp"))).isNull();
  }

  @Test
  void doesNotTellSecretsThatAServerSendsBack() {
    OAuth oauth = world.oauth().clientId("me").clientSecret("open_sesame").build();
    world.answers.put(
        "/token",
        StubAnswer.of(
            400, "{\"error\":\"open_sesame\",\"error_description\":\"open_sesame the-code\"}"));

    Throwable thrown = catchThrowable(() -> oauth.renew(null, 401, world.challenge(), NO_CANCEL));

    StringWriter all = new StringWriter();
    thrown.printStackTrace(new PrintWriter(all));
    assertThat(all.toString())
        .contains("gave no token: status 400")
        .doesNotContain("open_sesame", "the-code");
    assertThat(oauth.toString()).isEqualTo("OAuth[shop]");
  }

  @Test
  void showsAConfiguredClientToItsOwnAuthorityOnly() throws Exception {
    OAuth oauth = world.oauth().clientId("me").clientSecret("hush").build();
    assertThat(world.headerAfter401(oauth)).isNotNull();
    String other = world.issuer() + "/other";
    world.resource.put("authorization_servers", List.of(other));
    world.metadata.put("issuer", other);
    world.answers.put(OAUTH + "/other", text(Json.of(world.metadata).text()));

    assertThatThrownBy(() -> oauth.renew("Bearer access-1", 401, world.challenge(), NO_CANCEL))
        .hasMessageContaining("the configured client belongs to " + world.issuer());
    assertThatThrownBy(() -> oauth.logIn(NO_CANCEL))
        .hasMessageContaining("the configured client belongs to " + world.issuer());
    OAuth bound = world.oauth().clientId("me").issuer(world.issuer()).build();
    assertThatThrownBy(() -> bound.renew("Bearer access-1", 401, world.challenge(), NO_CANCEL))
        .hasMessageContaining("does not name the configured issuer " + world.issuer());
    assertThat(world.tokenRequests()).hasSize(1);
  }

  @Test
  void tellsNoSecretToAServerThatNamesNoAuthority() {
    world.resource.clear();
    OAuth oauth = world.oauth().clientId("robot").clientSecret("hush").machine().build();

    assertThatThrownBy(() -> oauth.renew(null, 401, null, NO_CANCEL))
        .hasMessageContaining("configure the `issuer`");
    assertThat(world.server.requests()).noneMatch(request -> request.body().contains("hush"));
  }

  @Test
  void leadsNoServerOutsideToThisMachine() {
    WebAddress outside = WebAddress.read("https://shop.example/mcp", GuardedHttp.strict().guard());
    GuardedHttp http = GuardedHttp.allowing(world.authority.hostAndPort());
    Settings settings =
        new Settings(
            "shop",
            outside,
            http,
            null,
            null,
            null,
            null,
            null,
            List.of(),
            false,
            "",
            null,
            world.store,
            world.time,
            new Random(1));

    assertThatThrownBy(() -> settings.address(world.issuer()))
        .hasMessage("it is on this machine, and the MCP server is not");
  }

  static Stream<Arguments> settingsThatDoNotFit() {
    return Stream.of(
        Arguments.of("only https URLs", build("http://shop.example/mcp", b -> b)),
        Arguments.of("fragment", build("https://shop.example/mcp#x", b -> b)),
        Arguments.of("loopback", build("http://127.0.0.1:1/mcp", b -> b)),
        Arguments.of("a redirect must be", wrong(b -> b.redirect("http://evil.example/callback"))),
        Arguments.of("a redirect must be", wrong(b -> b.redirect("https://127.0.0.1/callback"))),
        Arguments.of("a redirect must be", wrong(b -> b.redirect("http://127.0.0.1"))),
        Arguments.of("is not a scope", wrong(b -> b.scopes(List.of("a b")))),
        Arguments.of("belongs to the name", wrong(b -> b.clientSecret("x"))),
        Arguments.of("machine needs", wrong(b -> b.clientId("x").machine())),
        Arguments.of("printable ASCII", wrong(b -> b.clientId("a\nb"))),
        Arguments.of("https URL with a path", wrong(b -> b.metadataDocument("https://a.example"))),
        Arguments.of(
            "https URL with a path", wrong(b -> b.metadataDocument("http://a.example/c"))));
  }

  @ParameterizedTest
  @MethodSource("settingsThatDoNotFit")
  void refusesSettingsThatDoNotFit(String clause, OAuthBuilder builder) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("OAuth of MCP server 'shop': ")
        .hasMessageContaining(clause);
  }

  private static OAuthBuilder wrong(UnaryOperator<OAuthBuilder> change) {
    return build("https://shop.example/mcp", change);
  }

  private static OAuthBuilder build(String url, UnaryOperator<OAuthBuilder> change) {
    return change.apply(OAuth.builder("shop", url, GuardedHttp.strict()));
  }

  private static Arguments about(String clause, Consumer<SimulatedAuthority> change) {
    return Arguments.of(clause, change);
  }

  private static Arguments back(String clause, Map<String, String> answer) {
    return Arguments.of(clause, answer);
  }

  private static Arguments token(String clause, String member, Object value) {
    return Arguments.of(clause, member, value);
  }

  private static StubAnswer text(String body) {
    return StubAnswer.of(200, body);
  }
}
