package dev.switchboard.cli;

import dev.switchboard.mcp.McpTools;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.UrlGuard;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// An MCP server on the command line: its URL, or the program and its arguments.
final class McpArgument {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description = "A header of every request to a URL; may be repeated.")
  private Map<String, String> headers = new LinkedHashMap<>();

  @Option(
      names = "--bearer-env",
      paramLabel = "NAME",
      description = "The environment variable with the token for a URL.")
  private @Nullable String bearerEnv;

  /// The tools of that server, under the server's names.
  ///
  /// @param words the URL, or the program and its arguments
  McpTools tools(List<String> words) {
    String first = words.getFirst();
    if (!first.startsWith("http://") && !first.startsWith("https://")) {
      if (first.contains("://")) {
        throw Failure.usage(
            "The URL of a server begins with http:// or https://, not " + Plain.line(first) + ".",
            null);
      }
      return named(McpTools.program(name(first), words.toArray(String[]::new)));
    }
    if (words.size() > 1) {
      throw Failure.usage("A server is one URL, or a program and its arguments.", null);
    }
    URI url = uri(first);
    McpTools tools =
        McpTools.at(name(Objects.requireNonNullElse(url.getHost(), "")), url)
            .network(network(first));
    for (Map.Entry<String, String> header : headers.entrySet()) {
      tools = tools.header(header.getKey(), header.getValue());
    }
    if (bearerEnv != null) {
      String token = System.getenv(bearerEnv);
      if (token == null || token.isBlank()) {
        throw Failure.usage("The environment variable " + bearerEnv + " is not set.", null);
      }
      tools = tools.header("Authorization", "Bearer " + token);
    }
    return named(tools);
  }

  /// The name of a server in sentences, from its program or host.
  private static String name(String stated) {
    return McpImport.name(stated.substring(stated.lastIndexOf('/') + 1));
  }

  private static McpTools named(McpTools tools) {
    return tools.withoutPrefix().required().timeout(TIMEOUT);
  }

  private static URI uri(String text) {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("'" + text + "' is not a URL.", e);
    }
  }

  /// A client that may connect to the named server, also on this machine or the internal network.
  private static GuardedHttp network(String url) {
    if (UrlGuard.STRICT.check(url) instanceof UrlGuard.Verdict.Allowed) {
      return GuardedHttp.strict();
    }
    URI uri = uri(url);
    int port = uri.getPort() >= 0 ? uri.getPort() : url.startsWith("https") ? 443 : 80;
    try {
      return GuardedHttp.allowing(Objects.requireNonNullElse(uri.getHost(), "") + ":" + port);
    } catch (IllegalArgumentException e) {
      return GuardedHttp.strict();
    }
  }
}
