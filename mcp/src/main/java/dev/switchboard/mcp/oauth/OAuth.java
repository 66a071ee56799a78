package dev.switchboard.mcp.oauth;

import dev.switchboard.webhook.GuardedHttp;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Access to one MCP server by OAuth 2.1, according to MCP 2026-07-28, and to 2025-11-25 and
/// 2025-03-26 for older servers.
///
/// When a server refuses a request, its authorization server, the client and the scopes are
/// discovered. Then a refresh token is used, a person logs in, or the client logs in itself.
/// Thread-safe: one thread at a time renews, and the others use its tokens.
public final class OAuth implements Credentials {
  private static final System.Logger LOG = System.getLogger(OAuth.class.getName());
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final int MOST_IN_A_ROW = 3;

  private final Settings settings;
  private final Logins logins;
  private final AtomicReference<@Nullable CompletableFuture<Void>> busy = new AtomicReference<>();
  // Used by the renewing thread.
  private boolean declined; // whether a person was asked and did not log in
  private int inARow; // successful renewals in quick succession
  private long renewed; // when the last one was

  OAuth(Settings settings) {
    this.settings = settings;
    this.logins = new Logins(settings);
  }

  /// A builder for the access to an MCP server.
  ///
  /// @param name of the server, for `switchboard mcp login`
  /// @param url of the server: `https`, or on this machine
  /// @param http the client, whose guard checks every URL that the server and its authorization
  ///   server name
  public static OAuthBuilder builder(String name, String url, GuardedHttp http) {
    return new OAuthBuilder(name, url, http);
  }

  @Override
  public @Nullable String header(Consumer<Runnable> onCancel)
      throws IOException, InterruptedException {
    Login current = logins.known();
    TokenResponse tokens = current == null ? null : current.tokens();
    if (tokens != null && !tokens.stale(settings.time().now())) {
      return tokens.header();
    }
    enter(onCancel);
    try {
      Login login = logins.newest();
      return login == null ? null : header(login, onCancel);
    } finally {
      leave();
    }
  }

  /// The header of the login, with new tokens if they are needed and can be obtained without a
  /// person.
  private @Nullable String header(Login login, Consumer<Runnable> onCancel)
      throws InterruptedException {
    TokenResponse tokens = login.tokens();
    if (tokens == null) {
      return null;
    }
    if (tokens.stale(settings.time().now())) {
      try {
        Flow flow = new Flow(settings, onCancel);
        TokenResponse others =
            settings.machine()
                ? logins.create(all -> flow.granted(login), onCancel).tokens()
                : refreshed(login, tokens, flow, onCancel);
        tokens = others == null ? tokens : others;
      } catch (IOException e) {
        // If the server refuses the expired token, the cause is reported.
        LOG.log(Level.DEBUG, "MCP server ''{0}'': its token was not refreshed", settings.name());
      }
    }
    return tokens.header();
  }

  /// New tokens, by the refresh token; null if there is none. If another process was faster, its
  /// tokens are used.
  private @Nullable TokenResponse refreshed(
      Login login, TokenResponse tokens, Flow flow, Consumer<Runnable> onCancel)
      throws IOException, InterruptedException {
    String refresh = tokens.refresh();
    if (refresh == null) {
      return null;
    }
    Logins.Step step =
        all -> {
          Login newest = Login.current(all);
          TokenResponse others = newest == null ? null : newest.tokens();
          return newest != null && others != null && !others.access().equals(tokens.access())
              ? newest
              : flow.refreshed(login, refresh);
        };
    return logins.create(step, onCancel).tokens();
  }

  @Override
  public boolean renew(
      @Nullable String sent, int status, @Nullable String challenge, Consumer<Runnable> onCancel)
      throws IOException, InterruptedException {
    Challenge asked = Challenge.read(challenge);
    boolean more = status == 403 && asked.error().equals("insufficient_scope");
    if (status != 401 && !more) {
      return false;
    }
    enter(onCancel);
    try {
      Login login = logins.newest();
      TokenResponse tokens = login == null ? null : login.tokens();
      if (tokens != null && !tokens.header().equals(sent)) {
        return true;
      }
      if ((more && login != null && !grows(login, asked.scopes())) || !mayRenew()) {
        return false;
      }
      obtain(login, more, asked, onCancel);
      inARow++;
      renewed = settings.time().nanos();
      return true;
    } finally {
      leave();
    }
  }

  /// Whether these scopes exceed those requested before. A machine requests only the configured
  /// ones.
  private boolean grows(Login login, List<String> scopes) {
    boolean fixed = settings.machine() && !settings.scopes().isEmpty();
    return !fixed && !login.asked().containsAll(scopes);
  }

  /// Whether another renewal is allowed: not after several that helped only briefly.
  private boolean mayRenew() {
    if (inARow > 0 && settings.time().nanos() - renewed >= SOON.toNanos()) {
      inARow = 0;
    }
    return inARow < MOST_IN_A_ROW;
  }

  private void obtain(
      @Nullable Login login, boolean more, Challenge asked, Consumer<Runnable> onCancel)
      throws IOException, InterruptedException {
    Flow flow = new Flow(settings, onCancel);
    Discovery.Found found = flow.find(asked, login);
    boolean same = login != null && login.issuer().equals(found.server().issuer());
    List<String> scopes = scopes(found, same ? login : null, asked);
    if (settings.machine()) {
      Login unused = logins.create(all -> flow.granted(found, all, scopes), onCancel);
      return;
    }
    // If new tokens have just been refused, another refresh does not help.
    if (login != null && same && !more && inARow == 0) {
      Login moved = flow.moved(login, found);
      if (refreshed(moved, flow, onCancel)) {
        return;
      }
    }
    Login created = ofPerson(flow, found, scopes);
    Login unused = logins.create(all -> created, onCancel);
  }

  /// Whether a refresh token gave new tokens.
  private boolean refreshed(Login login, Flow flow, Consumer<Runnable> onCancel)
      throws IOException, InterruptedException {
    TokenResponse tokens = login.tokens();
    try {
      return tokens != null && refreshed(login, tokens, flow, onCancel) != null;
    } catch (OAuthException e) {
      if (!e.isRefusal()) {
        throw e;
      }
      Login unused = logins.create(all -> login.with(null), onCancel);
      return false;
    }
  }

  private Login ofPerson(Flow flow, Discovery.Found found, List<String> scopes)
      throws IOException, InterruptedException {
    Person person = settings.person();
    if (person == null || declined) {
      throw settings.fault(
          "it asks for a login; run 'switchboard mcp login " + settings.name() + "'");
    }
    declined = true; // a person who declines is not asked repeatedly
    Login created = flow.ofPerson(person, found, logins.all(), scopes);
    declined = false;
    return created;
  }

  /// The scopes to request: the configured ones, or else those that the server requires, or else
  /// all that it supports; always with those requested before.
  ///
  /// @param login at the same authorization server; null for none
  private List<String> scopes(Discovery.Found found, @Nullable Login login, Challenge asked) {
    List<String> before = login == null ? List.of() : login.asked();
    boolean first = before.isEmpty();
    if (first && !settings.scopes().isEmpty()) {
      return settings.scopes();
    }
    return first && asked.scopes().isEmpty()
        ? found.scopes()
        : Challenge.union(before, asked.scopes());
  }

  /// Logs in with the person of the settings, even if there is a login.
  ///
  /// @param onCancel receives an action that ends the login from another thread
  /// @throws IllegalStateException when the settings have no person
  /// @throws OAuthException when there is no login, or it cannot be stored, with a sentence that
  ///   says why
  public void logIn(Consumer<Runnable> onCancel) throws IOException, InterruptedException {
    Person person = settings.person();
    if (person == null) {
      throw new IllegalStateException("a login needs a person");
    }
    enter(onCancel);
    try {
      Flow flow = new Flow(settings, onCancel);
      Challenge asked = flow.challenge();
      Discovery.Found found = flow.find(asked, null);
      // Without clients that were registered before, since the server may have forgotten them.
      List<Login> others =
          logins.all().stream()
              .filter(login -> login.client().origin() != OAuthClient.Origin.REGISTERED)
              .toList();
      Login created = flow.ofPerson(person, found, others, scopes(found, null, asked));
      declined = false;
      Login unused = logins.create(all -> created, onCancel);
      if (logins.trouble() != null) {
        throw settings.fault("the login cannot be stored: " + logins.trouble());
      }
    } finally {
      leave();
    }
  }

  /// Deletes the login, and the client that was registered for it.
  ///
  /// @param onCancel receives an action that ends the wait from another thread
  public void forget(Consumer<Runnable> onCancel) throws IOException, InterruptedException {
    enter(onCancel);
    try {
      logins.forget(onCancel);
    } catch (TokenStore.UnusableException e) {
      throw settings.fault("its login cannot be forgotten: " + e.getMessage());
    } finally {
      leave();
    }
  }

  /// Waits until no other thread renews.
  private void enter(Consumer<Runnable> onCancel)
      throws InterruptedIOException, InterruptedException {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    for (CompletableFuture<Void> other = busy.compareAndExchange(null, mine);
        other != null;
        other = busy.compareAndExchange(null, mine)) {
      CompletableFuture<Void> waiting = other.copy();
      onCancel.accept(() -> waiting.cancel(false));
      try {
        waiting.get();
      } catch (CancellationException | ExecutionException e) {
        throw new InterruptedIOException("cancelled");
      }
    }
  }

  private void leave() {
    CompletableFuture<Void> mine = busy.getAndSet(null);
    if (mine != null) {
      mine.complete(null);
    }
  }

  /// The server only.
  @Override
  public String toString() {
    return "OAuth[" + settings.name() + ']';
  }
}
