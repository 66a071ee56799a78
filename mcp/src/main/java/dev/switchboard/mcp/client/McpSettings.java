package dev.switchboard.mcp.client;

import dev.switchboard.handler.Tool;
import dev.switchboard.webhook.GuardedHttp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An MCP server whose tools an agent has.
///
/// @param name of the server, such as `github`
/// @param prefix whether the names of its tools begin with its own, as in `github__create_issue`
/// @param reached its transport
/// @param include patterns of the included tools, `*` for any characters; empty for all
/// @param exclude patterns of excluded tools
/// @param policies the options of single tools, by the server's names of them
/// @param timeout of one request
/// @param responseLimit the maximum bytes of one message of the server
/// @param required whether the agent cannot start without it
/// @param lock the file with the digests of its tools, null for none
/// @param trust whether its annotations decide if failed calls are retried
/// @param sampling the budget of its requests to the agent's model, null if it may make none
/// @param roots the folders that it may know
public record McpSettings(
    String name,
    boolean prefix,
    McpWay reached,
    List<String> include,
    List<String> exclude,
    Map<String, Tool.Policy> policies,
    Duration timeout,
    long responseLimit,
    boolean required,
    @Nullable Path lock,
    boolean trust,
    @Nullable SamplingSettings sampling,
    List<Path> roots) {
  /// The default time limit of a request.
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  /// The default maximum size of a message: 8 MiB.
  public static final long DEFAULT_RESPONSE_LIMIT = 8L << 20;

  public McpSettings {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
    policies = Map.copyOf(policies);
    roots = List.copyOf(roots);
  }

  /// The transport to an MCP server.
  public sealed interface McpWay {
    /// A program that is started and used over standard input and output.
    ///
    /// @param words the program and its arguments
    /// @param folder its working directory, null for that of this process
    /// @param environment its variables beside `HOME` and `PATH`
    record Program(List<String> words, @Nullable Path folder, Map<String, String> environment)
        implements McpWay {
      public Program {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
      }
    }

    /// A server on the network, over streamable HTTP.
    ///
    /// @param headers of every request
    /// @param oauth the login for its requests, null for only the headers
    /// @param network the HTTP client
    record Web(
        String url, Map<String, String> headers, @Nullable OAuthSettings oauth, GuardedHttp network)
        implements McpWay {
      public Web {
        headers = Map.copyOf(headers);
      }
    }
  }

  /// An OAuth client at an authorization server. Null means discovered, or registered.
  ///
  /// @param clientId of a registered client
  /// @param clientSecretEnv the environment variable with its secret
  /// @param privateKeyEnv the environment variable with its private key (PEM), instead of a secret
  /// @param keyId of that key
  /// @param issuer the only allowed authorization server
  /// @param clientMetadataUrl of the client's metadata document
  /// @param scopes empty for those that the server names
  /// @param machine whether the client logs in by itself, without a person
  /// @param redirect where a browser is sent after a login
  public record OAuthSettings(
      @Nullable String clientId,
      @Nullable String clientSecretEnv,
      @Nullable String privateKeyEnv,
      @Nullable String keyId,
      @Nullable String issuer,
      @Nullable String clientMetadataUrl,
      List<String> scopes,
      boolean machine,
      @Nullable String redirect) {
    public OAuthSettings {
      scopes = List.copyOf(scopes);
    }
  }

  /// The budget of an MCP server's requests to the agent's model (sampling).
  ///
  /// @param maxTokens of one reply
  /// @param calls the maximum number in this process
  public record SamplingSettings(int maxTokens, int calls) {
    /// The default budget: 100 replies of 1,000 tokens.
    public static final SamplingSettings DEFAULT = new SamplingSettings(1_000, 100);
  }
}
