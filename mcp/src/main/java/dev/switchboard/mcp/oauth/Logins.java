package dev.switchboard.mcp.oauth;

import dev.switchboard.json.Json;
import dev.switchboard.mcp.oauth.TokenStore.UnusableException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The logins to one MCP server: those in the store, which other processes change too, and the
/// current one. While the store cannot be used, the current one is in memory.
///
/// For one thread at a time, except [#known()]. Tokens of the client itself are never stored.
final class Logins {
  private static final System.Logger LOG = System.getLogger(Logins.class.getName());

  private final Settings settings;
  private final String key;
  private volatile @Nullable Login current;
  private @Nullable String warned; // what was logged of the store
  private @Nullable String trouble; // why the store has not got the current login

  /// Creates a login from the existing ones.
  interface Step {
    Login of(List<Login> all) throws IOException, InterruptedException;
  }

  Logins(Settings settings) {
    this.settings = settings;
    this.key = settings.server().canonical();
  }

  /// The current login as it was last seen; null for none.
  @Nullable Login known() {
    return current;
  }

  /// Why the current login is not in the store; null if it is.
  @Nullable String trouble() {
    return trouble;
  }

  /// The current login, possibly of another process; null for none.
  @Nullable Login newest() {
    if (!settings.machine() && trouble == null) {
      current = usable(all());
    }
    return current;
  }

  /// The login with tokens, if it belongs to the configured client.
  private @Nullable Login usable(List<Login> all) {
    Login login = Login.current(all);
    if (login == null) {
      return null;
    }
    String id = settings.clientId();
    boolean configured = login.client().origin() == OAuthClient.Origin.CONFIGURED;
    boolean mine = id == null ? !configured : configured && login.client().id().equals(id);
    String issuer = settings.issuer();
    return mine && (issuer == null || issuer.equals(login.issuer())) ? login : null;
  }

  /// All logins in the store, the newest first; the current one if it cannot be read.
  List<Login> all() {
    try {
      return Login.all(settings.store().read(key));
    } catch (UnusableException e) {
      warn("its login is unknown", e);
      Login login = current;
      return login == null ? List.of() : List.of(login);
    }
  }

  /// Logs a problem with the store, once.
  private void warn(String consequence, UnusableException e) {
    if (!settings.machine() && !String.valueOf(e.getMessage()).equals(warned)) {
      warned = e.getMessage();
      LOG.log(Level.WARNING, "MCP server ''{0}'': {1}: {2}", settings.name(), consequence, warned);
    }
  }

  /// Creates a login, makes it the current one and stores it. No other process changes the store
  /// meanwhile.
  ///
  /// @return that login
  Login create(Step step, Consumer<Runnable> onCancel) throws IOException, InterruptedException {
    AtomicReference<@Nullable Login> created = new AtomicReference<>();
    try {
      settings.store().change(key, now -> stored(step, now, created), onCancel);
      trouble = null;
    } catch (UnusableException e) {
      trouble = e.getMessage();
      warn("its login lasts only as long as this process", e);
    }
    Login login = created.get();
    if (login == null) {
      login = step.of(all());
    }
    current = login.tokens() == null ? null : login;
    return login;
  }

  private Json stored(Step step, @Nullable Json now, AtomicReference<@Nullable Login> created)
      throws IOException, InterruptedException {
    List<Login> all = Login.all(now);
    Login login = step.of(all);
    created.set(login);
    return (settings.machine() ? login.with(null) : login).before(all);
  }

  /// Deletes all logins.
  void forget(Consumer<Runnable> onCancel) throws IOException, InterruptedException {
    current = null;
    settings.store().change(key, now -> null, onCancel);
    trouble = null;
  }
}
