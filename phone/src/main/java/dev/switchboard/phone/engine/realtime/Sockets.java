package dev.switchboard.phone.engine.realtime;

import dev.switchboard.http.DirectSockets;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import okhttp3.Dispatcher;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okio.Buffer;
import okio.ForwardingSource;
import okio.Sink;
import okio.Socket;
import okio.Source;

/// The WebSocket connections of engines: each is read on a virtual thread of its own, no message is
/// compressed, and none is longer than 15 MiB.
final class Sockets {
  /// The longest message that is taken, in bytes.
  static final long LONGEST_MESSAGE = 15L << 20;

  private static final String EXTENSIONS = "Sec-WebSocket-Extensions";
  // A server that does not answer a ping before the next one is gone.
  private static final Duration PING = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private Sockets() {}

  /// Made when first needed, since it costs a tenth of a second.
  private static final class Shared {
    static final OkHttpClient CLIENT =
        DirectSockets.client()
            .dispatcher(dispatcher())
            .addInterceptor(Sockets::bounded)
            .pingInterval(PING)
            .connectTimeout(PATIENCE)
            .readTimeout(PATIENCE)
            .writeTimeout(PATIENCE)
            .build();
  }

  static OkHttpClient client() {
    return Shared.CLIENT;
  }

  private static Dispatcher dispatcher() {
    Dispatcher dispatcher = new Dispatcher(Executors.newVirtualThreadPerTaskExecutor());
    // A socket counts as a request as long as it is open.
    dispatcher.setMaxRequests(Integer.MAX_VALUE);
    dispatcher.setMaxRequestsPerHost(Integer.MAX_VALUE);
    return dispatcher;
  }

  /// How much was read of a connection since its last whole message; for the thread that reads.
  static final class Meter {
    private long read;

    /// A whole message is there.
    void message() {
      read = 0;
    }

    private void read(long bytes) throws IOException {
      read += Math.max(0, bytes);
      if (read > LONGEST_MESSAGE) {
        throw new TooLongException();
      }
    }
  }

  /// A message is longer than is taken.
  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    private TooLongException() {
      super("a message is longer than 15 MiB");
    }
  }

  private static Response bounded(Interceptor.Chain chain) throws IOException {
    // A short compressed message can be an endless one.
    Request plain = chain.request().newBuilder().removeHeader(EXTENSIONS).build();
    Response response = chain.proceed(plain);
    Socket socket = response.socket();
    Meter meter = plain.tag(Meter.class);
    if (socket == null || meter == null) {
      return response;
    }
    return response
        .newBuilder()
        .removeHeader(EXTENSIONS)
        .socket(new Bounded(socket, metered(socket.getSource(), meter)))
        .build();
  }

  private static Source metered(Source source, Meter meter) {
    return new ForwardingSource(source) {
      @Override
      public long read(Buffer sink, long byteCount) throws IOException {
        long read = super.read(sink, byteCount);
        meter.read(read);
        return read;
      }
    };
  }

  /// A connection whose source is another.
  private record Bounded(Socket socket, Source source) implements Socket {
    @Override
    public Source getSource() {
      return source;
    }

    @Override
    public Sink getSink() {
      return socket.getSink();
    }

    @Override
    public void cancel() {
      socket.cancel();
    }
  }
}
