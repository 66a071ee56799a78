package dev.switchboard.config;

import dev.switchboard.config.FileTable.TableKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The keys of an MCP server, an entry of `agent.mcp`, and of the tables in it, as [Binder] binds
/// them.
record McpKeys(
    Value at,
    @TableKey(required = true) @Nullable Value name,
    @Nullable Boolean prefix,
    @Nullable Value command,
    List<Value> args,
    @Nullable Value env,
    @Nullable Value cwd,
    @Nullable Value url,
    Map<String, Value> headers,
    @Nullable String bearerEnv,
    @Nullable Value oauth,
    List<String> include,
    List<String> exclude,
    Map<String, Value> tools,
    @Nullable Duration timeout,
    @TableKey(least = 1) @Nullable Integer responseLimit,
    boolean required,
    boolean pin,
    boolean trust,
    @Nullable Value sampling,
    List<String> roots) {

  record OAuth(
      Value at,
      @Nullable String clientId,
      @Nullable String clientSecretEnv,
      @Nullable String privateKeyEnv,
      @Nullable String keyId,
      @Nullable String issuer,
      @Nullable Value clientMetadataUrl,
      List<String> scopes,
      @Nullable Grant grant,
      @Nullable String redirect) {}

  /// How a client gets its token: by a person's login, or with its own credentials.
  enum Grant {
    AUTHORIZATION_CODE,
    CLIENT_CREDENTIALS
  }

  /// The budget of a server's requests to the model.
  record Sampling(
      @TableKey(least = 1) @Nullable Integer maxTokens,
      @TableKey(least = 1) @Nullable Integer calls) {}
}
