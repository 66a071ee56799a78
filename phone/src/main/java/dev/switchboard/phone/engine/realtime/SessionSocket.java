package dev.switchboard.phone.engine.realtime;

import dev.switchboard.time.Time;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import org.jspecify.annotations.Nullable;

/// The WebSocket of one session. Sending never waits for the network.
///
/// Thread-safe.
final class SessionSocket extends WebSocketListener {
  private static final System.Logger LOG = System.getLogger(OpenAiRealtime.class.getName());
  // The time limit of a provider's answer to a message that it answers at once.
  private static final Duration SILENCE = Duration.ofSeconds(30);
  // In characters, of at most three bytes each: OkHttp closes a connection with more than 16 MiB.
  private static final long MOST_UNSENT = 5L << 20;
  private static final int SWITCHED = 101;
  private static final int NORMAL = 1000;
  private static final int GOING_AWAY = 1001;
  private static final int POLICY = 1008;
  private static final int FIRST_OWN_CODE = 3000;

  private final Reader reader;
  private final Time time;
  private final CallerAudio audio = new CallerAudio();
  private final EngineSockets.Meter meter = new EngineSockets.Meter();
  private volatile @Nullable WebSocket socket;
  private volatile boolean over;
  private volatile long received; // messages; written by the thread that reads
  // All guarded by this.
  private long askedAfter = -1; // messages received before
  private long askedAt;
  private Time.@Nullable Alarm alarm;

  /// Receives messages and the loss of the connection.
  interface Reader {
    /// A message, on the reading thread.
    void read(String message);

    /// The connection is lost or unusable; may be called more than once.
    ///
    /// @param refused whether the provider would refuse another one; if that depends on whether a
    ///   session was set up, for one that was not
    /// @param settled the same for a session that was set up
    /// @param what the rest of a sentence after the engine's name
    void lost(boolean refused, boolean settled, String code, String what);
  }

  SessionSocket(Reader reader, Time time) {
    this.reader = reader;
    this.time = time;
  }

  /// Begins to connect.
  synchronized void open(OkHttpClient client, Request.Builder request) {
    socket = client.newWebSocket(request.tag(EngineSockets.Meter.class, meter).build(), this);
  }

  @Override
  public void onMessage(WebSocket from, String message) {
    meter.message();
    countMessage();
    reader.read(message);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread reads
  private void countMessage() {
    received++;
  }

  @Override
  public void onClosing(WebSocket from, int code, String reason) {
    boolean unused = from.close(NORMAL, null);
    boolean account = RealtimeError.fatal(reason);
    boolean expired = code == GOING_AWAY && reason.contains("maximum duration");
    reader.lost(
        account || code >= FIRST_OWN_CODE || code == POLICY,
        account,
        expired ? RealtimeError.EXPIRED : "closed",
        "closed the connection (" + (code + " " + RealtimeError.shown(reason)).strip() + ")");
  }

  @Override
  public void onFailure(WebSocket from, Throwable thrown, @Nullable Response response) {
    LOG.log(Level.DEBUG, "a connection failed", thrown);
    if (response != null && response.code() != SWITCHED) {
      int status = response.code();
      boolean passing = status >= 500 || status == 408 || status == 425 || status == 429;
      String remedy = status == 401 || status == 403 ? "; check the key" : "";
      reader.lost(!passing, !passing, "http_" + status, "answered " + status + remedy);
    } else if (thrown instanceof EngineSockets.TooLongException) {
      lost("too_long", "sent a message of more than 15 MiB");
    } else if (!(thrown instanceof IOException)) {
      lost("connection_lost", "was given up: " + thrown.getClass().getName());
    } else if (response == null && received == 0) {
      lost("unreachable", "cannot be reached");
    } else {
      lost("connection_lost", "is no longer connected");
    }
  }

  private void lost(String code, String what) {
    reader.lost(false, false, code, what);
  }

  /// Monitors the provider from now on: it must send something within 30 seconds of a message that
  /// it answers.
  void watch() {
    boolean silent = false;
    synchronized (this) {
      if (over) {
        return;
      }
      long since = askedAfter == received ? time.nanos() - askedAt : 0;
      silent = since >= SILENCE.toNanos();
      if (!silent) {
        alarm = alarm(SILENCE.minusNanos(since), this::watch);
      }
    }
    if (silent) {
      lost("silent", "has sent nothing for 30 seconds");
    }
  }

  /// An alarm whose action may block.
  Time.Alarm alarm(Duration wait, Runnable action) {
    Runnable aside =
        () -> {
          Thread unused = Thread.startVirtualThread(action);
        };
    return time.alarm(time.nanos() + wait.toNanos(), aside);
  }

  /// Sends a message that the provider answers.
  void send(String message) {
    synchronized (this) {
      if (askedAfter != received) {
        askedAt = time.nanos();
        askedAfter = received;
      }
    }
    WebSocket ours = socket;
    if (ours == null || over) {
      return;
    }
    if (ours.queueSize() + message.length() > MOST_UNSENT) {
      stalled();
    } else {
      // False if the connection is closing, which the reading thread notices.
      boolean unused = ours.send(message);
    }
  }

  /// Gives up the connection, since too much is unsent.
  void stalled() {
    Thread unused = Thread.startVirtualThread(() -> lost("stalled", "does not read what is sent"));
  }

  /// Queues audio of the caller, and sends it if possible.
  ///
  /// @param ready whether the session is set up
  void sendAudio(byte[] frame, boolean ready) {
    audio.add(frame);
    WebSocket ours = socket;
    if (ready && ours != null && !over && !audio.send(ours, time.nanos())) {
      stalled();
    }
  }

  long dropped() {
    return audio.dropped();
  }

  /// Closes the connection: after sending, or at once.
  void close(boolean atOnce) {
    synchronized (this) {
      over = true;
      if (alarm != null) {
        alarm.cancel();
      }
    }
    WebSocket ours = socket;
    if (ours == null) {
      return;
    }
    if (atOnce || !ours.close(NORMAL, null)) {
      ours.cancel();
    }
  }
}
