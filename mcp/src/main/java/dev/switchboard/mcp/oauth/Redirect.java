package dev.switchboard.mcp.oauth;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The page on this machine to which the browser is redirected after a login, while it is open.
///
/// A request without the expected state is not an answer, and the page continues to wait.
final class Redirect implements AutoCloseable {
  private static final Set<String> HOSTS = Set.of("127.0.0.1", "localhost");
  private static final int LONGEST = 64 * 1024;
  private static final String PAGE =
      """
      <!doctype html><html lang="en"><meta charset="utf-8"><title>%s</title><p>%s</p></html>
      """;

  private final HttpServer server;
  private final String path;
  private final String state;
  private final String url;
  private final CompletableFuture<Map<String, String>> answer = new CompletableFuture<>();

  private Redirect(HttpServer server, URI place, String state) {
    this.server = server;
    this.path = place.getPath();
    this.state = state;
    this.url = "http://" + place.getHost() + ':' + server.getAddress().getPort() + path;
  }

  /// Parses such a URL.
  ///
  /// @throws IllegalArgumentException when it is not `http`, on this machine, and a plain path
  static URI place(String url) {
    URI place = URI.create(url);
    if (!"http".equals(place.getScheme())
        || !HOSTS.contains(String.valueOf(place.getHost()))
        || place.getRawUserInfo() != null
        || place.getRawQuery() != null
        || place.getRawFragment() != null
        || !String.valueOf(place.getRawPath()).matches("(?:/[A-Za-z0-9._~-]+)+")) {
      throw new IllegalArgumentException(
          "a redirect must be such as 'http://127.0.0.1/callback' or"
              + " 'http://localhost:3000/callback'");
    }
    return place;
  }

  /// A page that waits for an answer with this state.
  ///
  /// @param place with a port, or without one for a free one
  /// @throws IOException when the port is in use
  static Redirect open(URI place, String state) throws IOException {
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    int port = Math.max(0, place.getPort());
    HttpServer server = HttpServer.create(new InetSocketAddress(loopback, port), 0);
    Redirect redirect = new Redirect(server, place, state);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", redirect::handle);
    server.start();
    return redirect;
  }

  /// Whether both are the same URL, or the first one has no port and all else is equal.
  static boolean serves(URI place, URI other) {
    return place.getHost().equals(other.getHost())
        && place.getPath().equals(other.getPath())
        && (other.getPort() < 0 || other.getPort() == place.getPort());
  }

  /// Its URL.
  String url() {
    return url;
  }

  private void handle(HttpExchange exchange) throws IOException {
    URI asked = exchange.getRequestURI();
    boolean here =
        exchange.getRequestMethod().equals("GET") && path.equals(String.valueOf(asked.getPath()));
    Map<String, String> parameters = here ? expected(asked.getRawQuery()) : null;
    try (exchange) {
      String page =
          parameters == null
              ? PAGE.formatted("Not expected", "This is not the expected answer.")
              : PAGE.formatted("Switchboard", "You can close this page.");
      byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
      exchange.getResponseHeaders().set("Content-Security-Policy", "default-src 'none'");
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
      exchange.getResponseHeaders().set("Connection", "close");
      exchange.sendResponseHeaders(parameters == null ? 400 : 200, bytes.length);
      exchange.getResponseBody().write(bytes);
    } finally {
      if (parameters != null) {
        answer.complete(parameters);
      }
    }
  }

  /// Accepts the final URL of a browser on another machine.
  ///
  /// @return whether it was the expected one
  boolean paste(String address) {
    String given = address.strip();
    int query = given.indexOf('?');
    Map<String, String> parameters = query < 0 ? null : expected(given.substring(query + 1));
    return parameters != null && answer.complete(parameters);
  }

  /// The parameters of a query with the expected state; null if it has another, or a parameter
  /// twice.
  private @Nullable Map<String, String> expected(@Nullable String query) {
    if (query == null || query.length() > LONGEST) {
      return null;
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String part : query.split("&", -1)) {
      String[] sides = part.split("=", 2);
      try {
        String name = URLDecoder.decode(sides[0], StandardCharsets.UTF_8);
        String value = sides.length < 2 ? "" : URLDecoder.decode(sides[1], StandardCharsets.UTF_8);
        if (parameters.put(name, value) != null) {
          return null;
        }
      } catch (IllegalArgumentException e) {
        return null; // broken percent-encoding
      }
    }
    byte[] given = parameters.getOrDefault("state", "").getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(given, state.getBytes(StandardCharsets.UTF_8)) ? parameters : null;
  }

  /// The parameters of the browser's request; null if it did not arrive in time.
  ///
  /// @throws InterruptedIOException when the wait was cancelled
  @Nullable Map<String, String> await(Time time, Duration patience, Consumer<Runnable> onCancel)
      throws InterruptedIOException, InterruptedException {
    Time.Alarm alarm =
        time.alarm(time.nanos() + patience.toNanos(), () -> answer.complete(Map.of()));
    onCancel.accept(() -> answer.cancel(false));
    try {
      Map<String, String> parameters = answer.get();
      return parameters.isEmpty() ? null : parameters;
    } catch (CancellationException | ExecutionException e) {
      throw new InterruptedIOException("cancelled");
    } finally {
      alarm.cancel();
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
