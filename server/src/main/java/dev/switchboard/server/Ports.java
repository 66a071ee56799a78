package dev.switchboard.server;

import dev.switchboard.server.access.Problem;
import io.javalin.config.JettyConfig;
import io.javalin.http.Context;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

/// The ports that a server listens on: one for clients, and if it is set, the management port,
/// which serves the metrics and the health without a token.
final class Ports {
  private static final int SEND_BUFFER = 64 * 1024;
  // With the default of 50, further simultaneous connections would be reset.
  private static final int UNACCEPTED = 1_024;

  private final String host;
  private final int port;
  private final int managementPort;
  private final ServerLimits limits;
  private final Connections connections;
  private @Nullable ServerConnector clients;
  private @Nullable ServerConnector management;

  /// @param port 0 for a free one
  /// @param managementPort 0 for a free one, negative for none
  Ports(String host, int port, int managementPort, ServerLimits limits, Connections connections) {
    this.host = host;
    this.port = port;
    this.managementPort = managementPort;
    this.limits = limits;
    this.connections = connections;
  }

  /// Adds the connectors, which listen once Jetty is started.
  void addTo(JettyConfig jetty) {
    jetty.addConnector((server, settings) -> clients = connector(server, settings, port));
    if (managementPort >= 0) {
      jetty.addConnector(
          (server, settings) -> management = connector(server, settings, managementPort));
    }
  }

  private ServerConnector connector(Server server, HttpConfiguration settings, int number) {
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(settings));
    connector.setHost(host);
    connector.setPort(number);
    connector.setAcceptedSendBufferSize(SEND_BUFFER);
    connector.setAcceptQueueSize(UNACCEPTED);
    connector.setIdleTimeout(limits.silent().toMillis());
    connector.addBean(connections);
    connector.addBean(new NetworkConnectionLimit(limits.connections(), connector));
    return connector;
  }

  /// Checks that a request uses the right port: operators' routes are served on the management port
  /// only, and nothing else is served there.
  ///
  /// @throws Problem `not_found` when it does not
  void check(Context ctx) {
    ServerConnector connector = management;
    boolean managed = connector != null && ctx.req().getLocalPort() == connector.getLocalPort();
    String path = ctx.path();
    boolean health = path.equals("/livez") || path.equals("/readyz");
    if (managed ? !health && !path.equals("/metrics") : path.equals("/metrics")) {
      throw Problem.notFound();
    }
  }

  /// The port for clients, -1 before it listens.
  int port() {
    return number(clients);
  }

  /// The management port, -1 for none.
  int managementPort() {
    return number(management);
  }

  private static int number(@Nullable ServerConnector connector) {
    return connector == null ? -1 : connector.getLocalPort();
  }
}
