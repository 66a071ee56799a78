package dev.switchboard.webhook;

import dev.switchboard.http.Cancelling;
import dev.switchboard.http.DirectSockets;
import dev.switchboard.http.HiddenRetryAfter;
import dev.switchboard.http.HttpAnswer;
import dev.switchboard.http.HttpRequest;
import dev.switchboard.http.OpenAnswer;
import dev.switchboard.http.PendingConnection;
import dev.switchboard.http.ResponseTooLargeException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import okio.Buffer;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/// The HTTP client for every URL from outside. It connects only where its [UrlGuard] allows,
/// follows no redirects, does not retry, stores no cookies, and limits what it reads.
///
/// Thread-safe. It has its own connections, since agents with different allow lists need different
/// clients. It has no timeouts; the caller cancels.
public final class GuardedHttp implements AutoCloseable {
  private static final int IDLE_CONNECTIONS = 256;
  // Less than the idle timeout of common servers (5 s), so that a request seldom uses a connection
  // that was just closed.
  private static final long IDLE_SECONDS = 4;
  // The limit of a response outside 2xx, enough for any message.
  private static final long ERROR_LIMIT = 16 * 1024;

  private static final GuardedHttp STRICT = of(UrlGuard.STRICT);

  private final UrlGuard guard;
  private final UrlGuard.Resolver resolver;
  private final UnaryOperator<OkHttpClient.Builder> adjustment;
  private final ReentrantLock lock = new ReentrantLock();
  // Created at the first request, since that takes a tenth of a second.
  private volatile @Nullable Clients clients;

  /// The clients for public addresses, which are checked, and for allowed private services; those
  /// for one request keep no connection, so that they never use a closed one.
  private record Clients(
      OkHttpClient checked,
      OkHttpClient trusted,
      OkHttpClient checkedOnce,
      OkHttpClient trustedOnce) {}

  GuardedHttp(
      UrlGuard guard, UrlGuard.Resolver resolver, UnaryOperator<OkHttpClient.Builder> adjustment) {
    this.guard = guard;
    this.resolver = resolver;
    this.adjustment = adjustment;
  }

  /// The client for public addresses only, shared by all that need no other.
  public static GuardedHttp strict() {
    return STRICT;
  }

  /// A client that connects to public addresses and to these private services, each `host:port`.
  ///
  /// @throws IllegalArgumentException that names the entry which is not `host:port`
  public static GuardedHttp allowing(String... services) {
    return of(UrlGuard.of(List.of(services)));
  }

  /// A client behind this guard.
  public static GuardedHttp of(UrlGuard guard) {
    return of(guard, UrlGuard.Resolver.SYSTEM);
  }

  /// A client behind this guard with this resolver.
  public static GuardedHttp of(UrlGuard guard, UrlGuard.Resolver resolver) {
    return new GuardedHttp(guard, resolver, UnaryOperator.identity());
  }

  /// The guard.
  public UrlGuard guard() {
    return guard;
  }

  /// The response to this request, read to its end or its limit.
  ///
  /// @param onCancel receives, before anything is sent, an action that ends the request from
  ///   another thread
  /// @throws UrlGuard.BlockedException when the guard refuses the URL, or an address of its host
  /// @throws ResponseTooLargeException when a 2xx response is longer than the limit
  /// @throws IOException when the request fails otherwise, or was cancelled
  public HttpAnswer send(HttpRequest request, Consumer<Runnable> onCancel) throws IOException {
    RequestTemplate template =
        template(request.url(), request.headers(), request.onFreshConnection());
    Call call = template.call(request.method(), request.body(), Map.of());
    return send(call, request.responseLimit(), onCancel, null);
  }

  /// The beginning of the response to this request, whose body is read as it arrives, without the
  /// request's limit.
  ///
  /// @param onCancel receives, before anything is sent, an action that ends the request from
  ///   another thread, also while its body is read
  /// @throws UrlGuard.BlockedException when the guard refuses the URL, or an address of its host
  /// @throws IOException when the request fails otherwise, or was cancelled
  public OpenAnswer open(HttpRequest request, Consumer<Runnable> onCancel) throws IOException {
    RequestTemplate template =
        template(request.url(), request.headers(), request.onFreshConnection());
    AtomicReference<Call> current =
        new AtomicReference<>(template.call(request.method(), request.body(), Map.of()));
    return new OpenAnswer(execute(current, onCancel), current.get());
  }

  /// A template for requests to this URL with these headers.
  ///
  /// @throws UrlGuard.BlockedException when the guard refuses the URL
  RequestTemplate template(String text, Map<String, String> headers, boolean onFreshConnection)
      throws UrlGuard.BlockedException {
    try {
      CanonicalUrl url = CanonicalUrl.read(text);
      HttpUrl http = url.toHttpUrl();
      String refusal = guard.refusal(url);
      if (refusal != null) {
        throw new UrlGuard.BlockedException(refusal);
      }
      AllowedUrl judged = new AllowedUrl(url, guard.allows(url));
      return RequestTemplate.of(this, onFreshConnection, judged, http, headers);
    } catch (UrlRefusedException e) {
      throw new UrlGuard.BlockedException(e.reason());
    }
  }

  /// The client for that request.
  ///
  /// @param trusted whether it goes to an allowed private service
  OkHttpClient client(boolean trusted, boolean onFreshConnection) {
    Clients current = clients();
    if (onFreshConnection) {
      return trusted ? current.trustedOnce : current.checkedOnce;
    }
    return trusted ? current.trusted : current.checked;
  }

  private Clients clients() {
    Clients known = clients;
    if (known != null) {
      return known;
    }
    lock.lock();
    try {
      known = clients;
      if (known == null) {
        OkHttpClient checked = adjustment.apply(builder(new GuardedDns(resolver, true))).build();
        // With its own connections, and the same TLS settings.
        OkHttpClient trusted =
            checked
                .newBuilder()
                .dns(new GuardedDns(resolver, false))
                .connectionPool(pool())
                .build();
        known = new Clients(checked, trusted, keepingNone(checked), keepingNone(trusted));
        clients = known;
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  /// The response to a request of a [RequestTemplate] of this client, as [#send] describes it.
  ///
  /// @param onLine receives each line of a streamed response as it arrives; null to read such a
  ///   response as a whole
  HttpAnswer send(
      Call call, long limit, Consumer<Runnable> onCancel, @Nullable Consumer<String> onLine)
      throws IOException {
    AtomicReference<Call> current = new AtomicReference<>(call);
    boolean closes = false;
    try (Response response = execute(current, onCancel)) {
      closes = response.protocol() == Protocol.HTTP_1_0;
      return onLine != null && response.isSuccessful() && AnswerLines.are(response)
          ? AnswerLines.read(response, limit, current.get(), onLine)
          : answer(response, limit, current.get());
    } finally {
      if (closes) {
        // Such a server closes the connection after its answer, which OkHttp does not expect.
        close();
      }
    }
  }

  /// The beginning of a response, without its body.
  ///
  /// @param current the request; replaced if it had to be sent again
  private Response execute(AtomicReference<Call> current, Consumer<Runnable> onCancel)
      throws IOException {
    PendingConnection opening = new PendingConnection();
    onCancel.accept(() -> {
      opening.cancel();
      Cancelling.cancel(current.get());
    });
    opening.enter();
    try {
      return execute(current, opening);
    } catch (GuardedDns.BlockedAnswer e) {
      throw new UrlGuard.BlockedException(String.valueOf(e.getMessage()));
    } finally {
      opening.leave();
    }
  }

  private static Response execute(AtomicReference<Call> current, PendingConnection opening)
      throws IOException {
    for (int left = IDLE_CONNECTIONS; ; left--) {
      try {
        return current.get().execute();
      } catch (PeerCheck.Unasked e) {
        if (e.sent || left == 0) {
          throw new ProtocolException(e.getMessage());
        }
      }
      // Nothing was written to that connection, which is closed; another one may work.
      Call again = current.get().clone();
      current.set(again);
      if (opening.isCancelled()) {
        again.cancel();
      }
    }
  }

  /// Closes the idle connections.
  @Override
  public void close() {
    Clients current = clients;
    if (current != null) {
      current.checked.connectionPool().evictAll();
      current.trusted.connectionPool().evictAll();
    }
  }

  private static HttpAnswer answer(Response response, long limit, Call call) throws IOException {
    boolean successful = response.isSuccessful();
    long most = successful ? limit : Math.min(limit, ERROR_LIMIT);
    BufferedSource body = response.body().source();
    boolean tooLarge = successful && response.body().contentLength() > limit;
    boolean more = tooLarge || body.request(most + 1);
    if (more) {
      // Otherwise closing the response reads on for a while to reuse the connection, and this one
      // may never end.
      call.cancel();
    }
    if (more && successful) {
      throw new ResponseTooLargeException(limit);
    }
    Buffer read = body.getBuffer();
    AnswerLines.skipMark(body);
    String text = read.readString(Math.min(read.size(), most), StandardCharsets.UTF_8);
    return new HttpAnswer(response.code(), HiddenRetryAfter.of(response), text, more, false);
  }

  private static ConnectionPool pool() {
    return new ConnectionPool(IDLE_CONNECTIONS, IDLE_SECONDS, TimeUnit.SECONDS);
  }

  private static OkHttpClient keepingNone(OkHttpClient client) {
    return client
        .newBuilder()
        .connectionPool(new ConnectionPool(0, 1, TimeUnit.NANOSECONDS))
        .build();
  }

  private static OkHttpClient.Builder builder(GuardedDns dns) {
    return DirectSockets.client()
        .dns(dns)
        .addNetworkInterceptor(HiddenRetryAfter.INSTANCE)
        .addNetworkInterceptor(new PeerCheck())
        .eventListener(Cancelling.LISTENER)
        .connectionPool(pool())
        .fastFallback(false)
        .connectTimeout(Duration.ZERO)
        .readTimeout(Duration.ZERO)
        .writeTimeout(Duration.ZERO)
        .callTimeout(Duration.ZERO);
  }
}
