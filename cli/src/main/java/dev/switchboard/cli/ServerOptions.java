package dev.switchboard.cli;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.server.Server;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.Secret;
import io.javalin.util.JavalinBindException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The options of a server: addresses, proxies and the webhook for pending requests.
final class ServerOptions {
  private static final int MOST_PORT = 65_535;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Listen on this port, 0 for any free one; by default 8000.")
  private int port = Server.PORT;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Listen on this address; by default 127.0.0.1, for this machine only.")
  private String host = "127.0.0.1";

  @Option(
      names = "--public-url",
      paramLabel = "URL",
      description = "The clients' URL, such as https://agents.example.com.")
  private @Nullable URI publicUrl;

  @Option(
      names = "--trusted-proxy",
      paramLabel = "ADDRESS",
      description =
          "Trust the X-Forwarded-For of this proxy, an address or a range such as 10.0.0.0/8.")
  private List<String> proxies = List.of();

  @Option(
      names = "--allow-origin",
      paramLabel = "ORIGIN",
      description =
          "Let pages of this origin, such as https://app.example.com, use the server with a token;"
              + " may be repeated.")
  private List<String> origins = List.of();

  @Option(
      names = "--client-system",
      description = "Accept system messages of OpenAI's clients, which change the instructions.")
  private boolean clientSystem;

  @Option(
      names = "--management-port",
      paramLabel = "PORT",
      description = "Serve Prometheus metrics at /metrics on this port, without a token.")
  private int managementPort = -1;

  @Option(
      names = "--on-pending",
      paramLabel = "URL",
      description = "Post each call that waits for a person to this URL, signed.")
  private @Nullable URI onPending;

  @Option(
      names = "--on-pending-secret-env",
      paramLabel = "NAME",
      description = "The environment variable that holds the secret it is signed with.")
  private @Nullable String secretEnv;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A file with a table [server], whose keys are these options; an option wins over its"
              + " key.")
  private @Nullable Path config;

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description = "The file of the tokens; by default .switchboard/tokens.")
  private Path tokens = Tokens.DEFAULT_FILE;

  @Option(
      names = "--token-env",
      paramLabel = "NAME",
      description = "Also take the token in this environment variable, of the role operate.")
  private @Nullable String tokenEnv;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /// Takes what the file of `--config` says, where no option says it.
  ///
  /// @throws Failure when the file has a fault
  void readConfig(Terminal terminal) {
    if (config == null) {
      return;
    }
    AgentFile.ServerOptions file;
    try {
      file = AgentFile.ServerOptions.read(config);
    } catch (ConfigException e) {
      throw AgentArgument.failure(config, e, terminal);
    }
    port = or("--port", file.port(), port);
    host = or("--host", file.host(), host);
    publicUrl = or("--public-url", uri("public_url", file.publicUrl()), publicUrl);
    proxies = or("--trusted-proxy", file.trustedProxy(), proxies);
    origins = or("--allow-origin", file.allowOrigin(), origins);
    clientSystem |= file.clientSystem();
    managementPort = or("--management-port", file.managementPort(), managementPort);
    onPending = or("--on-pending", uri("on_pending", file.onPending()), onPending);
    secretEnv = or("--on-pending-secret-env", file.onPendingSecretEnv(), secretEnv);
    tokens = or("--tokens", path(file.tokens()), tokens);
    tokenEnv = or("--token-env", file.tokenEnv(), tokenEnv);
  }

  /// The value of the file, unless there is none or the option was given.
  private <T extends @Nullable Object> T or(String option, @Nullable T ofFile, T usual) {
    boolean given = command.commandLine().getParseResult().hasMatchedOption(option);
    return given || ofFile == null ? usual : ofFile;
  }

  private @Nullable URI uri(String key, @Nullable String text) {
    try {
      return text == null ? null : new URI(text);
    } catch (URISyntaxException e) {
      throw Failure.usage(config + ": server." + key + " is not a URL.", e);
    }
  }

  /// A file of tokens is beside the configuration.
  private @Nullable Path path(@Nullable String text) {
    return text == null || config == null ? null : config.resolveSibling(text);
  }

  /// The file of the tokens.
  Path tokens() {
    return tokens;
  }

  /// The environment variable with another token, null for none.
  @Nullable String tokenEnv() {
    return tokenEnv;
  }

  int port() {
    return port;
  }

  /// @throws Failure when a port is invalid
  void check() {
    if (port < 0 || Math.max(port, managementPort) > MOST_PORT) {
      throw Failure.usage("A port is a number from 0 to " + MOST_PORT + ".", null);
    }
  }

  /// Starts the server.
  ///
  /// @throws Failure when the options are invalid, or it cannot listen at the address
  Server start(Server.Builder server) {
    server.port(port).host(host).managementPort(managementPort);
    try {
      if (publicUrl != null) {
        server.publicUrl(publicUrl);
      }
      server.allowOrigins(origins).clientSystem(clientSystem);
      setPendingHook(server.trustedProxies(proxies));
      return server.start();
    } catch (IllegalArgumentException e) {
      throw Failure.usage("The server cannot be set up: " + e.getMessage() + ".", e);
    } catch (JavalinBindException e) {
      throw Failure.usage(notListening(), e);
    }
  }

  private void setPendingHook(Server.Builder server) {
    URI url = onPending;
    if (url == null) {
      return;
    }
    if (secretEnv == null) {
      throw Failure.usage("--on-pending needs --on-pending-secret-env.", null);
    }
    server.onPending(url, Secret.env(secretEnv), GuardedHttp.allowing(hostAndPort(url)));
  }

  /// The host and port to allow: the operator trusts the named URL.
  private static String hostAndPort(URI url) {
    int usual = "https".equals(url.getScheme()) ? 443 : 80;
    return url.getHost() + ":" + (url.getPort() < 0 ? usual : url.getPort());
  }

  /// Why the server cannot listen.
  private String notListening() {
    return isOurs()
        ? "Port %s of %s is in use; --port names another, 0 any that is free."
            .formatted(managementPort < 1 ? port : port + " or " + managementPort, host)
        : "'%s' is not an address of this machine; --host names one, 0.0.0.0 is all of them."
            .formatted(host);
  }

  private boolean isOurs() {
    try {
      InetAddress address = InetAddress.getByName(host);
      return address.isAnyLocalAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (IOException e) {
      return false;
    }
  }

  /// The server's URL.
  String address(Server server) {
    String shown = host.contains(":") ? "[" + host + "]" : host;
    return "http://" + shown + ":" + server.port();
  }
}
