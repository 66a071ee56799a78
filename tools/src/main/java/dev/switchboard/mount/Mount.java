package dev.switchboard.mount;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A route that a module adds to an HTTP and WebSocket server, such as a carrier's webhook or tools
/// for other agents. The server does not know its purpose.
public sealed interface Mount {
  /// Its path, literal and without parameters, such as `/phone/twilio/voice`.
  String path();

  /// Who authenticates its requests.
  Check check();

  /// Who authenticates a request.
  sealed interface Check {
    /// The route itself, such as by a signature; also while the server shuts down.
    Check OWN = new Own();

    /// The server, as for its own routes: by a token, the `Host` and the `Origin`.
    static Check server(Permission needed) {
      return new Server(needed);
    }

    /// The server.
    ///
    /// @param needed the permission that the client needs
    record Server(Permission needed) implements Check {}

    /// The route itself.
    record Own() implements Check {}
  }

  /// A route for requests of one method.
  ///
  /// @param method such as `POST`
  record Http(String method, String path, Check check, Handler handler) implements Mount {
    /// @throws IllegalArgumentException when the method or the path is invalid
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
    /// @throws IllegalArgumentException when the path is invalid
    public Socket {
      checkPath(path);
    }
  }

  private static void checkPath(String path) {
    if (!path.matches("(/[A-Za-z0-9_.-]+)+")) {
      throw new IllegalArgumentException("'" + path + "' cannot be the path of a route");
    }
  }

  /// A request, including one that opens a socket.
  ///
  /// @param target its path with its query, as the client sent them
  /// @param headers values by names in lower case
  /// @param body as text, empty for none
  /// @param client its address, behind the proxies that the server trusts
  /// @param principal the authenticated client; null if the server does not authenticate it
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

  /// Handles requests, concurrently, each on its own thread.
  interface Handler {
    /// Answers the request, once, by one of the methods of the response.
    void handle(Request request, Response response) throws IOException, InterruptedException;
  }

  /// The response to one request, used by its thread.
  interface Response {
    /// Sends the whole response.
    void send(int status, Map<String, String> headers, String body);

    /// Begins a stream of server-sent events.
    ///
    /// @throws IOException when the client is gone
    EventStream events() throws IOException;
  }

  /// A stream of server-sent events.
  interface EventStream extends AutoCloseable {
    /// Sends that text, which contains complete events.
    ///
    /// @throws IOException when the client is gone, or does not read
    void send(String text) throws IOException;

    @Override
    void close();
  }

  /// Accepts sockets, concurrently.
  interface Acceptor {
    /// Why the socket is not opened; null if it is.
    @Nullable Refusal refusal(Request request);

    /// Opens the socket; returns its listener.
    Listener open(Request request, Channel channel);
  }

  /// Why a socket is not opened.
  ///
  /// @param status of the response, such as 403
  record Refusal(int status, String sentence) {}

  /// Receives what the other side of a socket sends, in order.
  interface Listener {
    /// A message, at most 1 MiB.
    void message(String text);

    /// The socket was closed, by either side, or the connection was lost.
    ///
    /// @param code of WebSocket (RFC 6455, 7.4); 1006 if the connection was lost
    void closed(int code);
  }

  /// Sends to the other side of a socket. Thread-safe.
  interface Channel {
    /// Sends a message, after those before it; does not wait for the network. A caller that sends
    /// much should wait for the result, since what is unsent is not limited.
    ///
    /// @return completed when the message has been sent; exceptionally if the socket is closed, as
    ///   it is when the other side does not read
    CompletableFuture<?> send(String text);

    /// Closes the socket, after earlier messages have been sent.
    ///
    /// @param code of WebSocket, such as 1000
    void close(int code, String reason);
  }
}
