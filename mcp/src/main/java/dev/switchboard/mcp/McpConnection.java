package dev.switchboard.mcp;

import dev.switchboard.mcp.client.McpSettings;
import dev.switchboard.mcp.client.McpSettings.McpWay;
import dev.switchboard.mcp.client.McpSettings.OAuthSettings;
import dev.switchboard.mcp.client.RemoteServers;
import dev.switchboard.mcp.oauth.OAuth;
import dev.switchboard.mcp.oauth.OAuthBuilder;
import dev.switchboard.mcp.oauth.Person;
import dev.switchboard.mcp.oauth.SigningKey;
import dev.switchboard.mcp.oauth.TokenFile;
import dev.switchboard.mcp.oauth.TokenStore;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Connects agents to MCP servers, with the logins of this user.
public final class McpConnection {
  private static final Path LOGINS = Path.of("switchboard", "mcp_logins");

  private McpConnection() {}

  /// The tools of these servers.
  ///
  /// @param environment the value of an environment variable, null if it is not set
  public static RemoteServers tools(
      List<McpSettings> servers, Function<String, @Nullable String> environment) {
    TokenStore logins = logins(environment);
    return new RemoteServers(
        servers,
        server -> {
          OAuth oauth = oauth(server, environment, logins, null);
          return oauth == null ? NoCredentials.INSTANCE : oauth;
        },
        Time.SYSTEM);
  }

  /// The OAuth login of the server of these settings; null if it needs none.
  ///
  /// @param environment the value of an environment variable, null if it is not set
  /// @param person who can log in, null for none
  /// @throws IllegalArgumentException that names the invalid setting
  public static @Nullable OAuth login(
      McpSettings server, Function<String, @Nullable String> environment, @Nullable Person person) {
    return oauth(server, environment, logins(environment), person);
  }

  /// The logins of this user, in the user's state folder.
  private static TokenStore logins(Function<String, @Nullable String> environment) {
    String stated = environment.apply("XDG_STATE_HOME");
    Path state =
        stated == null || stated.isBlank()
            ? Path.of(System.getProperty("user.home"), ".local", "state")
            : Path.of(stated);
    return TokenFile.inOwnFolder(state.resolve(LOGINS), Time.SYSTEM);
  }

  private static @Nullable OAuth oauth(
      McpSettings server,
      Function<String, @Nullable String> environment,
      TokenStore logins,
      @Nullable Person person) {
    if (!(server.reached() instanceof McpWay.Web web) || web.oauth() == null) {
      return null;
    }
    OAuthSettings settings = web.oauth();
    OAuthBuilder oauth =
        OAuth.builder(server.name(), web.url(), web.network())
            .scopes(settings.scopes())
            .store(logins)
            .person(person);
    given(settings.clientId(), oauth::clientId);
    given(value(settings.clientSecretEnv(), environment), oauth::clientSecret);
    String key = value(settings.privateKeyEnv(), environment);
    given(key == null ? null : SigningKey.of(key, settings.keyId()), oauth::clientKey);
    given(settings.issuer(), oauth::issuer);
    given(settings.clientMetadataUrl(), oauth::metadataDocument);
    given(settings.redirect(), oauth::redirect);
    return settings.machine() ? oauth.machine().build() : oauth.build();
  }

  private static @Nullable String value(
      @Nullable String variable, Function<String, @Nullable String> environment) {
    return variable == null ? null : environment.apply(variable);
  }

  private static <T> void given(@Nullable T value, Function<T, OAuthBuilder> setter) {
    if (value != null) {
      OAuthBuilder unused = setter.apply(value);
    }
  }
}
