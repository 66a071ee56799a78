package dev.switchboard.mcp;

import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.config.FileTable.TableKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The keys of an MCP server, an entry of `agent.mcp`, and of the tables in it: a component is a
/// key.
record McpKeys(
    StatedValue at,
    @TableKey(required = true) @Nullable StatedValue name,
    @Nullable Boolean prefix,
    @Nullable StatedValue command,
    List<StatedValue> args,
    @Nullable StatedValue env,
    @Nullable StatedValue cwd,
    @Nullable StatedValue url,
    Map<String, StatedValue> headers,
    @Nullable String bearerEnv,
    @Nullable StatedValue oauth,
    List<String> include,
    List<String> exclude,
    Map<String, StatedValue> tools,
    @Nullable Duration timeout,
    @TableKey(least = 1) @Nullable Integer responseLimit,
    boolean required,
    boolean pin,
    boolean trust,
    @Nullable StatedValue sampling,
    List<String> roots) {

  record OAuth(
      StatedValue at,
      @Nullable String clientId,
      @Nullable String clientSecretEnv,
      @Nullable String privateKeyEnv,
      @Nullable String keyId,
      @Nullable String issuer,
      @Nullable StatedValue clientMetadataUrl,
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
