package dev.switchboard.server;

import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/// The connections that wait for a request. One without a complete request in time is closed, even
/// if it sends bytes slowly.
///
/// Thread-safe.
final class Connections implements Connection.Listener, HttpConfiguration.Customizer {
  /// The maximum number: as many as streams, and a fifth more.
  static final int MOST = 6_000;

  private final Time time;
  private final Duration patience;
  private final Map<EndPoint, Long> waiting = new ConcurrentHashMap<>();

  /// @param patience how long a connection may be without a request
  Connections(Time time, Duration patience) {
    this.time = time;
    this.patience = patience;
  }

  @Override
  public void onOpened(Connection connection) {
    waiting.put(connection.getEndPoint(), time.nanos());
  }

  @Override
  public void onClosed(Connection connection) {
    waiting.remove(connection.getEndPoint());
  }

  /// Notes that a request has arrived, with all its headers.
  @Override
  public Request customize(Request request, HttpFields.Mutable headers) {
    EndPoint connection = request.getConnectionMetaData().getConnection().getEndPoint();
    waiting.remove(connection);
    Request.addCompletionListener(
        request,
        failure -> {
          if (connection.isOpen()) {
            waiting.put(connection, time.nanos());
          }
        });
    return request;
  }

  /// Closes those that wait too long.
  void cutSilent() {
    long now = time.nanos();
    waiting.forEach((connection, since) -> {
      if (!(connection.getConnection() instanceof Connection.UpgradeFrom)) {
        // It has become a WebSocket; what still may is HTTP.
        waiting.remove(connection, since);
      } else if (now - since > patience.toNanos() && waiting.remove(connection, since)) {
        connection.close();
      }
    });
  }
}
