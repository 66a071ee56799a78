package dev.switchboard.provider;

import dev.switchboard.http.Cancelling;
import dev.switchboard.http.DirectSockets;
import dev.switchboard.http.HiddenRetryAfter;
import dev.switchboard.model.ModelOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;

/// The HTTP clients of models. They have the same configuration, and each has its own connections
/// and time limits.
final class Clients {
  private static final int IDLE_CONNECTIONS = 64;
  // Less than the idle timeout of common servers (5 s), so that a request seldom uses a connection
  // that was just closed.
  private static final long IDLE_SECONDS = 4;
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private Clients() {}

  /// Created when first needed, since it takes a tenth of a second.
  private static final class Shared {
    static final OkHttpClient CLIENT =
        DirectSockets.client()
            .addNetworkInterceptor(Progress.INTERCEPTOR)
            .eventListener(Cancelling.LISTENER)
            .addNetworkInterceptor(HiddenRetryAfter.INSTANCE)
            .build();
  }

  static OkHttpClient of(ModelOptions options) {
    Duration idle = options.idleLimit();
    return Shared.CLIENT
        .newBuilder()
        .connectionPool(new ConnectionPool(IDLE_CONNECTIONS, IDLE_SECONDS, TimeUnit.SECONDS))
        .connectTimeout(idle.compareTo(CONNECT) < 0 ? idle : CONNECT)
        .readTimeout(idle)
        .writeTimeout(idle)
        .callTimeout(options.totalLimit())
        .build();
  }
}
