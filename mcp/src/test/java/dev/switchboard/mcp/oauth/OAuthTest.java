package dev.switchboard.mcp.oauth;

import static dev.switchboard.mcp.oauth.SimulatedAuthority.NO_CANCEL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.switchboard.json.Json;
import dev.switchboard.testing.StubAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OAuthTest {
  private static final Executor THREADS = task -> Thread.startVirtualThread(task);
  private static final String MORE = "Bearer error=\"insufficient_scope\", scope=\"write\"";

  private final SimulatedAuthority world = new SimulatedAuthority();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void logsAPersonInAtTheServerThatTheRefusalLeadsTo() throws Exception {
    OAuth oauth = world.oauth().build();

    assertThat(oauth.header(NO_CANCEL)).isNull();
    assertThat(world.headerAfter401(oauth)).isEqualTo("Bearer access-1");

    assertThat(world.page())
        .containsEntry("response_type", "code")
        .containsEntry("client_id", "registered-client")
        .containsEntry("code_challenge_method", "S256")
        .containsEntry("resource", world.server.url("/mcp"))
        .doesNotContainKey("scope");
    assertThat(world.tokenRequests())
        .singleElement()
        .satisfies(form ->
            assertThat(form)
                .containsEntry("grant_type", "authorization_code")
                .containsEntry("code", "the-code")
                .containsEntry("client_id", "registered-client")
                .containsEntry("resource", world.server.url("/mcp")));
    Json wish = world.asked("/register").getFirst().json();
    assertThat(wish.tree().path("application_type").asString()).isEqualTo("native");
    assertThat(wish.tree().path("token_endpoint_auth_method").asString()).isEqualTo("none");
    assertThat(wish.tree().path("grant_types").toString()).contains("refresh_token");
  }

  @Test
  void findsTheDocumentAboutAServerThatDoesNotSayWhereItIs() throws Exception {
    OAuth oauth = world.oauth().build();

    assertThat(oauth.renew(null, 401, null, NO_CANCEL)).isTrue();

    assertThat(world.server.requests().getFirst().path())
        .isEqualTo("/.well-known/oauth-protected-resource/mcp");
  }

  @Test
  void triesThePlacesOfMetadataInTheirOrder() throws Exception {
    String issuer = world.issuer() + "/tenant";
    world.resource.put("authorization_servers", List.of(issuer));
    world.metadata.put("issuer", issuer);
    world.answers.put(
        "/tenant/.well-known/openid-configuration",
        StubAnswer.of(200, Json.of(world.metadata).text()));

    assertThat(world.headerAfter401(world.oauth().build())).isNotNull();
    assertThat(world.authority.requests().stream().map(request -> request.path()).limit(3))
        .containsExactly(
            "/.well-known/oauth-authorization-server/tenant",
            "/.well-known/openid-configuration/tenant",
            "/tenant/.well-known/openid-configuration");
  }

  @Test
  void takesAServerWithoutADocumentForItsOwnAuthority() throws Exception {
    world.resource.clear();
    String origin = "http://" + world.server.hostAndPort();
    world.answers.put("/register", StubAnswer.of(201, "{\"client_id\":\"old\"}"));
    world.answers.put(
        "/token", StubAnswer.of(200, "{\"access_token\":\"old-1\",\"token_type\":\"bearer\"}"));
    OAuth oauth = world.oauth().build();

    assertThat(oauth.renew(null, 401, null, NO_CANCEL)).isTrue();

    assertThat(oauth.header(NO_CANCEL)).isEqualTo("Bearer old-1");
    assertThat(world.pages.getLast().toString()).startsWith(origin + "/authorize?");
    assertThat(world.page()).containsEntry("resource", world.server.url("/mcp"));
  }

  @Test
  void prefersADocumentOfTheClientToItsRegistration() throws Exception {
    world.metadata.put("client_id_metadata_document_supported", true);
    String document = "https://example.com/client.json";

    assertThat(world.headerAfter401(world.oauth().metadataDocument(document).build())).isNotNull();

    assertThat(world.page()).containsEntry("client_id", document);
    assertThat(world.asked("/register")).isEmpty();
  }

  @Test
  void provesAConfiguredClientAsTheServerTakesIt() throws Exception {
    OAuth oauth = world.oauth().clientId("a:b").clientSecret("s c").build();
    assertThat(world.headerAfter401(oauth)).isNotNull();
    String header = world.asked("/token").getLast().header("Authorization");
    assertThat(new String(Base64.getDecoder().decode(header.substring(6)), StandardCharsets.UTF_8))
        .isEqualTo("a%3Ab:s%20c");

    world.metadata.put("token_endpoint_auth_methods_supported", List.of("client_secret_post"));
    oauth.logIn(NO_CANCEL);
    assertThat(world.tokenRequests().getLast())
        .containsEntry("client_id", "a:b")
        .containsEntry("client_secret", "s c");

    world.metadata.put("token_endpoint_auth_methods_supported", List.of("tls_client_auth"));
    assertThatThrownBy(() -> oauth.logIn(NO_CANCEL))
        .isInstanceOf(OAuthException.class)
        .hasMessageContaining("takes no client that proves itself by a secret");
  }

  @Test
  void requestsScopesOfChallengeThenServerThenNone() throws Exception {
    world.resource.put("scopes_supported", List.of("read", "list"));
    world.metadata.put("scopes_supported", List.of("read", "offline_access"));

    OAuth first = world.oauth().store(TokenStore.inMemory()).build();
    assertThat(first.renew(null, 401, world.challenge() + ", scope=\"a b\"", NO_CANCEL)).isTrue();
    assertThat(world.page())
        .containsEntry("scope", "a b offline_access")
        .containsEntry("prompt", "consent");

    assertThat(world.headerAfter401(world.oauth().store(TokenStore.inMemory()).build()))
        .isNotNull();
    assertThat(world.page()).containsEntry("scope", "read list offline_access");

    OAuth configured = world.oauth().scopes(List.of("mine")).store(TokenStore.inMemory()).build();
    assertThat(world.headerAfter401(configured)).isNotNull();
    assertThat(world.page()).containsEntry("scope", "mine offline_access");
  }

  @Test
  void asksForMoreScopesOnceAndKeepsThoseOfBefore() throws Exception {
    OAuth oauth = world.oauth().build();
    assertThat(oauth.renew(null, 401, world.challenge() + ", scope=read", NO_CANCEL)).isTrue();

    assertThat(oauth.renew("Bearer access-1", 403, MORE, NO_CANCEL)).isTrue();
    assertThat(world.page()).containsEntry("scope", "read write");
    assertThat(oauth.header(NO_CANCEL)).isEqualTo("Bearer access-2");

    assertThat(oauth.renew("Bearer access-2", 403, MORE, NO_CANCEL)).isFalse();
    assertThat(oauth.renew("Bearer access-2", 403, "Bearer", NO_CANCEL)).isFalse();
    assertThat(oauth.renew("Bearer access-2", 500, null, NO_CANCEL)).isFalse();
    assertThat(world.pages).hasSize(2);
  }

  @Test
  void givesUpOnAServerThatRefusesEveryToken() throws Exception {
    OAuth oauth = world.oauth().build();
    List<Boolean> renewals = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      renewals.add(oauth.renew(oauth.header(NO_CANCEL), 401, world.challenge(), NO_CANCEL));
    }
    assertThat(renewals).containsExactly(true, true, true, false, false, false);

    world.time.advance(Duration.ofMinutes(1));
    assertThat(oauth.renew(oauth.header(NO_CANCEL), 401, world.challenge(), NO_CANCEL)).isTrue();
  }

  @Test
  void refreshesATokenShortlyBeforeItsEnd() throws Exception {
    OAuth oauth = world.oauth().build();
    assertThat(world.headerAfter401(oauth)).isEqualTo("Bearer access-1");

    world.time.advance(Duration.ofSeconds(3569));
    assertThat(oauth.header(NO_CANCEL)).isEqualTo("Bearer access-1");
    world.time.advance(Duration.ofSeconds(1));
    assertThat(oauth.header(NO_CANCEL)).isEqualTo("Bearer access-2");

    assertThat(world.tokenRequests().getLast())
        .containsEntry("grant_type", "refresh_token")
        .containsEntry("refresh_token", "refresh-1")
        .containsEntry("client_id", "registered-client")
        .containsEntry("resource", world.server.url("/mcp"));
    assertThat(world.pages).hasSize(1);
  }

  @Test
  void sendsTheOldTokenWhileItCannotBeRefreshed() throws Exception {
    OAuth oauth = world.oauth().build();
    assertThat(world.headerAfter401(oauth)).isEqualTo("Bearer access-1");
    world.answers.put("/token", StubAnswer.of(503, ""));
    world.time.advance(Duration.ofHours(1));

    assertThat(oauth.header(NO_CANCEL)).isEqualTo("Bearer access-1");
    assertThatThrownBy(() -> oauth.renew("Bearer access-1", 401, world.challenge(), NO_CANCEL))
        .hasMessageContaining("gave no token: status 503");
    assertThat(world.pages).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"invalid_grant", "bad_refresh_token"})
  void logsInAgainWhenTheRefreshTokenIsOfNoUse(String error) throws Exception {
    OAuth oauth = world.oauth().build();
    assertThat(world.headerAfter401(oauth)).isEqualTo("Bearer access-1");
    world.time.advance(Duration.ofMinutes(2));
    world.answers.put("/token", StubAnswer.of(400, "{\"error\":\"" + error + "\"}"));

    Throwable thrown =
        catchThrowable(() -> oauth.renew("Bearer access-1", 401, world.challenge(), NO_CANCEL));

    assertThat(thrown).hasMessageContaining("gave no token: ");
    assertThat(world.tokenRequests().stream().map(form -> form.get("grant_type")))
        .containsExactly("authorization_code", "refresh_token", "authorization_code");
    assertThat(oauth.header(NO_CANCEL)).isNull();
  }

  @Test
  void tellsTheRemedyWhereNoPersonIs() throws Exception {
    OAuth alone = world.oauth().person(null).build();
    assertThatThrownBy(() -> alone.renew(null, 401, world.challenge(), NO_CANCEL))
        .isInstanceOf(OAuthException.class)
        .hasMessage("MCP server 'shop': it asks for a login; run 'switchboard mcp login shop'.");

    world.oauth().build().logIn(NO_CANCEL);

    assertThat(alone.renew(null, 401, world.challenge(), NO_CANCEL)).isTrue();
    assertThat(alone.header(NO_CANCEL)).isEqualTo("Bearer access-1");
  }

  @Test
  void asksAPersonWhoSaidNoOnlyOnce() throws Exception {
    world.callback.putAll(Map.of("code", "", "error", "access_denied"));
    OAuth oauth = world.oauth().build();

    assertThatThrownBy(() -> oauth.renew(null, 401, world.challenge(), NO_CANCEL))
        .hasMessageContaining("the login was refused (access_denied)");
    assertThatThrownBy(() -> oauth.renew(null, 401, world.challenge(), NO_CANCEL))
        .hasMessageContaining("switchboard mcp login shop");
    assertThat(world.pages).hasSize(1);
  }

  @Test
  void takesTheTokensThatAnotherThreadOrProcessGot() throws Exception {
    OAuth one = world.oauth().build();
    OAuth other = world.oauth().build();
    assertThat(world.headerAfter401(one)).isEqualTo("Bearer access-1");
    assertThat(other.header(NO_CANCEL)).isEqualTo("Bearer access-1");
    world.time.advance(Duration.ofHours(1));

    assertThat(one.header(NO_CANCEL)).isEqualTo("Bearer access-2");
    assertThat(other.header(NO_CANCEL)).isEqualTo("Bearer access-2");
    assertThat(one.renew("Bearer access-1", 401, world.challenge(), NO_CANCEL)).isTrue();

    assertThat(world.tokenRequests()).hasSize(2);
  }

  @Test
  void asksOnceForManyThreads() throws Exception {
    CountDownLatch shown = new CountDownLatch(1);
    CountDownLatch waiting = new CountDownLatch(1);
    OAuth oauth =
        world
            .oauth()
            .person((name, page, pasted) -> {
              shown.countDown();
              await(waiting);
              world.show(name, page, pasted);
            })
            .build();
    CompletableFuture<Boolean> first = renewal(oauth, NO_CANCEL);
    await(shown);
    AtomicReference<Runnable> cancel = new AtomicReference<>();
    CountDownLatch asked = new CountDownLatch(1);
    CompletableFuture<Boolean> second = renewal(oauth, NO_CANCEL);
    CompletableFuture<Boolean> third =
        renewal(
            oauth,
            action -> {
              cancel.set(action);
              asked.countDown();
            });
    await(asked);
    cancel.get().run();
    assertThatThrownBy(third::join).hasRootCauseMessage("cancelled");
    waiting.countDown();

    assertThat(first.join()).isTrue();
    assertThat(second.join()).isTrue();
    assertThat(world.pages).hasSize(1);
  }

  @Test
  void doesNotShowTheClientOfOneAuthorityToAnother() throws Exception {
    OAuth oauth = world.oauth().build();
    assertThat(world.headerAfter401(oauth)).isEqualTo("Bearer access-1");
    world.metadata.put("issuer", world.issuer() + "/new");
    world.resource.put("authorization_servers", List.of(world.issuer() + "/new"));
    world.registration.put("client_id", "another-client");
    world.answers.put(
        "/.well-known/oauth-authorization-server/new",
        StubAnswer.of(200, Json.of(world.metadata).text()));

    assertThat(oauth.renew("Bearer access-1", 401, world.challenge(), NO_CANCEL)).isTrue();

    assertThat(world.page()).containsEntry("client_id", "another-client");
    assertThat(world.tokenRequests().getLast())
        .containsEntry("grant_type", "authorization_code")
        .containsEntry("client_id", "another-client");
  }

  @Test
  void reusesRegisteredClientForSameRedirectAndScopes() throws Exception {
    world.tokens.put("refresh_token", Json.of(null));
    OAuth oauth = world.oauth().build();
    assertThat(world.headerAfter401(oauth)).isNotNull();
    String redirect = world.page().get("redirect_uri");

    assertThat(oauth.renew(oauth.header(NO_CANCEL), 401, world.challenge(), NO_CANCEL)).isTrue();
    assertThat(world.asked("/register")).hasSize(1);
    assertThat(world.page()).containsEntry("redirect_uri", redirect);

    assertThat(oauth.renew(oauth.header(NO_CANCEL), 403, MORE, NO_CANCEL)).isTrue();
    assertThat(world.asked("/register")).hasSize(2);
    OAuth elsewhere = world.oauth().redirect("http://localhost/back").build();
    assertThat(elsewhere.renew(oauth.header(NO_CANCEL), 401, world.challenge(), NO_CANCEL))
        .isTrue();
    assertThat(world.asked("/register")).hasSize(3);
    assertThat(world.page().get("redirect_uri")).startsWith("http://localhost:").endsWith("/back");
  }

  @Test
  void waitsForAPersonFiveMinutes() {
    OAuth oauth = world.oauth().person((name, page, pasted) -> world.pages.add(page)).build();
    CompletableFuture<Boolean> renewal = renewal(oauth, NO_CANCEL);
    Awaitility.await().until(() -> !world.pages.isEmpty());
    world.time.awaitSleepers(1);

    world.time.advance(Duration.ofMinutes(5));

    assertThatThrownBy(renewal::join)
        .hasRootCauseMessage("MCP server 'shop': no one logged in within 5 minutes.");
  }

  @Test
  void takesTheAddressThatAPersonPastes() throws Exception {
    List<Boolean> expected = new ArrayList<>();
    OAuth oauth =
        world
            .oauth()
            .person((name, page, pasted) -> {
              world.pages.add(page);
              expected.add(pasted.test("http://127.0.0.1/callback?code=x&state=other"));
              expected.add(pasted.test("nonsense"));
              expected.add(pasted.test("  " + world.back() + "\n"));
            })
            .build();

    assertThat(world.headerAfter401(oauth)).isEqualTo("Bearer access-1");
    assertThat(expected).containsExactly(false, false, true);
  }

  @Test
  void boundsEveryRequestInTime() {
    world.answers.put("/about", StubAnswer.hang());
    CompletableFuture<Boolean> renewal = renewal(world.oauth().build(), NO_CANCEL);
    world.time.awaitSleepers(1);

    world.time.advance(Duration.ofSeconds(20));

    assertThatThrownBy(renewal::join)
        .cause()
        .hasMessageEndingWith("cannot be asked: it takes too long");
  }

  @Test
  void letsAMachineAskForItself() throws Exception {
    OAuth oauth =
        world.oauth().clientId("robot").clientSecret("hush").machine().person(null).build();

    assertThat(oauth.renew(null, 401, world.challenge() + ", scope=a", NO_CANCEL)).isTrue();

    assertThat(world.tokenRequests().getLast())
        .containsEntry("grant_type", "client_credentials")
        .containsEntry("scope", "a")
        .containsEntry("resource", world.server.url("/mcp"));
    assertThat(String.valueOf(world.store.read(world.server.url("/mcp"))))
        .contains("robot")
        .doesNotContain("access-1", "hush");
    world.time.advance(Duration.ofHours(1));
    assertThat(oauth.header(NO_CANCEL)).isEqualTo("Bearer access-2");
  }

  @Test
  void keepsALoginInMemoryWhereItCannotBeStored() throws Exception {
    TokenStore broken =
        new TokenStore() {
          @Override
          public Json read(String server) throws UnusableException {
            throw new UnusableException("the disk is gone");
          }

          @Override
          public void change(String server, Change change, Consumer<Runnable> onCancel)
              throws IOException {
            throw new UnusableException("the disk is gone");
          }
        };
    OAuth oauth = world.oauth().store(broken).build();

    assertThat(world.headerAfter401(oauth)).isEqualTo("Bearer access-1");
    assertThat(oauth.header(NO_CANCEL)).isEqualTo("Bearer access-1");
    assertThatThrownBy(() -> oauth.logIn(NO_CANCEL))
        .hasMessageContaining("the login cannot be stored: the disk is gone");
  }

  @Test
  void forgetsALogin() throws Exception {
    OAuth oauth = world.oauth().build();
    assertThat(world.headerAfter401(oauth)).isNotNull();

    oauth.forget(NO_CANCEL);

    assertThat(oauth.header(NO_CANCEL)).isNull();
    assertThat(world.store.read(world.server.url("/mcp"))).isNull();
  }

  @Test
  void usesNoLoginOfAnotherClient() throws Exception {
    assertThat(world.headerAfter401(world.oauth().build())).isNotNull();

    assertThat(world.oauth().clientId("mine").build().header(NO_CANCEL)).isNull();
    assertThat(world.oauth().issuer("https://other.example").build().header(NO_CANCEL)).isNull();
    assertThat(world.oauth().build().header(NO_CANCEL)).isNotNull();
  }

  private CompletableFuture<Boolean> renewal(OAuth oauth, Consumer<Runnable> onCancel) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return oauth.renew(null, 401, world.challenge(), onCancel);
          } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
          }
        },
        THREADS);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
