package dev.switchboard.cli;

import dev.switchboard.server.Server;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.Secret;
import io.javalin.util.JavalinBindException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

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
      tellOfPending(server.trustedProxies(proxies));
      return server.start();
    } catch (IllegalArgumentException e) {
      throw Failure.usage("The server cannot be set up: " + e.getMessage() + ".", e);
    } catch (JavalinBindException e) {
      throw Failure.usage(notListening(), e);
    }
  }

  private void tellOfPending(Server.Builder server) {
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
