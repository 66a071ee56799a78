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

/// The WebSocket connections of engines: each is read on its own virtual thread, without
/// compression, and messages have at most 15 MiB.
final class EngineSockets {
  /// The maximum bytes of a message.
  static final long LONGEST_MESSAGE = 15L << 20;

  private static final String EXTENSIONS = "Sec-WebSocket-Extensions";
  // A server that does not answer a ping before the next one counts as lost.
  private static final Duration PING = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private EngineSockets() {}

  /// Created when first needed, since it takes a tenth of a second.
  private static final class Shared {
    static final OkHttpClient CLIENT =
        DirectSockets.client()
            .dispatcher(dispatcher())
            .addInterceptor(EngineSockets::bounded)
            .pingInterval(PING)
            .connectTimeout(PATIENCE)
            .readTimeout(PATIENCE)
            // CallerAudio notices what is not read; a limit for each frame costs as much as sending
            // it.
            .writeTimeout(Duration.ZERO)
            .build();
  }

  static OkHttpClient client() {
    return Shared.CLIENT;
  }

  private static Dispatcher dispatcher() {
    Dispatcher dispatcher = new Dispatcher(Executors.newVirtualThreadPerTaskExecutor());
    // A socket counts as a request while it is open.
    dispatcher.setMaxRequests(Integer.MAX_VALUE);
    dispatcher.setMaxRequestsPerHost(Integer.MAX_VALUE);
    return dispatcher;
  }

  /// The bytes read from a connection since its last complete message; for the reading thread.
  static final class Meter {
    private long read;

    /// A message is complete.
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

  /// A message exceeds the limit.
  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    private TooLongException() {
      super("a message is longer than 15 MiB");
    }
  }

  private static Response bounded(Interceptor.Chain chain) throws IOException {
    // A short compressed message can expand without end.
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

  /// A connection with another source.
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
