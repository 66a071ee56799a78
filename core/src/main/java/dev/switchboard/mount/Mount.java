package dev.switchboard.mount;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A route that a module brings to a server of HTTP and WebSocket, which knows nothing of what it
/// is for: a carrier's webhook, tools for other agents.
public sealed interface Mount {
  /// Its path, as it is and without parameters, such as `/phone/twilio/voice`.
  String path();

  /// Who checks on whose behalf a request is made.
  Check check();

  /// Who checks a request.
  enum Check {
    /// The server, as for its own routes: a token, the `Host` and the `Origin`.
    SERVER,
    /// The route itself, such as by a signature; also while the server ends.
    OWN
  }

  /// A route for requests of one method.
  ///
  /// @param method such as `POST`
  record Http(String method, String path, Check check, Handler handler) implements Mount {
    /// @throws IllegalArgumentException when the method or the path is not valid
    public Http {
      method = method.toUpperCase(Locale.ROOT);
      checkPath(path);
      if (!List.of("GET", "POST", "PUT", "DELETE").contains(method)) {
        throw new IllegalArgumentException("no route of the method '" + method + "' is mounted");
      }
    }
  }

  /// A route for WebSocket connections.
  record Socket(String path, Check check, Acceptor acceptor) implements Mount {
    /// @throws IllegalArgumentException when the path is not valid
    public Socket {
      checkPath(path);
    }
  }

  private static void checkPath(String path) {
    if (!path.matches("(/[A-Za-z0-9_.-]+)+")) {
      throw new IllegalArgumentException("'" + path + "' cannot be the path of a route");
    }
  }

  /// A request, or the one by which a socket is opened.
  ///
  /// @param target its path with its query, as the client sent them
  /// @param headers their values by their names in lower case
  /// @param body as text, empty for none
  /// @param client the address that it comes from, behind the proxies that the server trusts
  /// @param principal on whose behalf it is made; null if the server did not check that
  record Request(
      String method,
      String target,
      Map<String, List<String>> headers,
      String body,
      String client,
      @Nullable Principal principal) {
    /// The first value of that header, null if there is none.
    public @Nullable String header(String name) {
      List<String> values = headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
      return values.isEmpty() ? null : values.getFirst();
    }
  }

  /// On whose behalf a request is made.
  ///
  /// @param role `chat`, `approve` or `operate`
  record Principal(String name, String role) {}

  /// What answers requests, on a thread of each; for several at once.
  interface Handler {
    /// Answers the request: once, by one of the methods of the response.
    void handle(Request request, Response response) throws IOException, InterruptedException;
  }

  /// The response to one request, for its thread.
  interface Response {
    /// Sends all of it.
    void send(int status, Map<String, String> headers, String body);

    /// Begins a stream of server-sent events.
    ///
    /// @throws IOException when the client is gone
    EventStream events() throws IOException;
  }

  /// A response that is a stream of server-sent events.
  interface EventStream extends AutoCloseable {
    /// Sends that text, which holds whole events.
    ///
    /// @throws IOException when the client is gone, or does not read
    void send(String text) throws IOException;

    @Override
    void close();
  }

  /// What takes sockets; for several at once.
  interface Acceptor {
    /// Why this socket is not opened; null if it is.
    @Nullable Refusal refusal(Request request);

    /// What listens to a socket that is open from now on.
    Listener open(Request request, Channel channel);
  }

  /// Why a socket is not opened.
  ///
  /// @param status of the response, such as 403
  record Refusal(int status, String sentence) {}

  /// What comes from the other side of a socket, one after the other.
  interface Listener {
    /// A message, at most 1 MiB.
    void message(String text);

    /// The socket is closed: by the other side, by this one, or since the connection is gone.
    ///
    /// @param code as WebSocket has it (RFC 6455, 7.4); 1006 where the connection is gone
    void closed(int code);
  }

  /// The way to the other side of a socket. Thread-safe.
  interface Channel {
    /// Sends a message, and waits until it is on its way.
    ///
    /// @throws IOException when the socket is closed, or the other side does not read
    void send(String text) throws IOException;

    /// Closes the socket, once what was sent is on its way.
    ///
    /// @param code as WebSocket has it, such as 1000
    void close(int code, String reason);
  }
}
