package dev.switchboard.phone.testing;

import dev.switchboard.time.Time;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.UnauthorizedResponse;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsConnectContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/// A simulator of OpenAI Realtime on this machine, with a script instead of the model. It is as
/// strict as the real service, and tests can make it fail.
///
/// Each session follows the protocol: a message with a refused field is ignored, one response at a
/// time writes to the conversation, audio arrives faster than it is spoken, speech is detected by
/// its loudness. Thread-safe.
public final class RealtimeSimulator implements AutoCloseable {
  private static final String SESSION = "simulator.session";

  final Settings settings;
  private final Javalin http;
  private final List<SimulatedSession> sessions = new CopyOnWriteArrayList<>();

  /// The settings of a simulator.
  ///
  /// @param pace how much faster than real time audio arrives; 0 for at once
  record Settings(
      Function<ModelView, Reply> script,
      Function<ModelView, Reply> asides,
      Queue<String> transcripts,
      Time time,
      double pace,
      Duration lifetime,
      boolean takesStrict,
      boolean namesNoEvent,
      boolean refusesCalls) {}

  private RealtimeSimulator(Settings settings) {
    this.settings = settings;
    http = Javalin.create(this::set).start("127.0.0.1", 0);
  }

  /// A builder of a simulator.
  public static Builder builder() {
    return new Builder();
  }

  /// A simulator whose model gives these replies, in order.
  public static RealtimeSimulator of(Reply... replies) {
    return builder().replies(replies).start();
  }

  private void set(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.concurrency.useVirtualThreads = true;
    config.routes.wsBeforeUpgrade("/v1/realtime", RealtimeSimulator::check);
    config.routes.ws("/v1/realtime", this::sockets);
  }

  // An invalid key is refused before the upgrade.
  private static void check(Context ctx) {
    String key = Objects.requireNonNullElse(ctx.header("Authorization"), "");
    if (!key.startsWith("Bearer ") || key.equals("Bearer wrong")) {
      throw new UnauthorizedResponse("Incorrect API key provided");
    }
  }

  private void sockets(WsConfig config) {
    config.onConnect(this::connect);
    config.onMessage(ctx -> session(ctx.attribute(SESSION)).take(ctx.message()));
    config.onClose(ctx -> session(ctx.attribute(SESSION)).gone());
  }

  private void connect(WsConnectContext ctx) {
    String model = Objects.requireNonNullElse(ctx.queryParam("model"), "");
    String beta = Objects.requireNonNullElse(ctx.header("OpenAI-Beta"), "");
    SimulatedSession session = new SimulatedSession(settings, ctx.session, model);
    ctx.attribute(SESSION, session);
    sessions.add(session);
    session.begin(beta.contains("realtime=v1"));
  }

  private static SimulatedSession session(@org.jspecify.annotations.Nullable Object attribute) {
    return (SimulatedSession) Objects.requireNonNull(attribute);
  }

  /// The base URL for engines, such as `ws://127.0.0.1:40123/v1`.
  public String url() {
    return "ws://127.0.0.1:" + http.port() + "/v1";
  }

  /// All sessions so far, in order.
  public List<SimulatedSession> sessions() {
    return List.copyOf(sessions);
  }

  /// The latest session.
  ///
  /// @throws java.util.NoSuchElementException when there is none
  public SimulatedSession session() {
    return sessions().getLast();
  }

  @Override
  public void close() {
    sessions.forEach(SimulatedSession::gone);
    http.stop();
  }

  /// A builder of a simulator.
  public static final class Builder {
    private Function<ModelView, Reply> script = turn -> Reply.fail("no_reply_scripted");
    private Function<ModelView, Reply> asides = turn -> Reply.say(turn.quoted());
    private final Queue<String> transcripts = new ConcurrentLinkedQueue<>();
    private Time time = Time.SYSTEM;
    private double pace;
    private Duration lifetime = Duration.ofMinutes(60);
    private boolean takesStrict;
    private boolean namesNoEvent;
    private boolean refusesCalls;

    private Builder() {}

    /// Sets the model's reply, computed from its input. Called once for each response in the
    /// conversation, concurrently for several sessions.
    public Builder script(Function<ModelView, Reply> script) {
      this.script = script;
      return this;
    }

    /// Sets the model's replies, in order; after the last one its responses fail.
    public Builder replies(Reply... replies) {
      Iterator<Reply> rest = new ArrayDeque<>(List.of(replies)).iterator();
      script =
          turn -> {
            synchronized (rest) {
              return rest.hasNext() ? rest.next() : Reply.fail("no_reply_scripted");
            }
          };
      return this;
    }

    /// Sets the model's replies outside the conversation; by default it speaks the requested words.
    public Builder asides(Function<ModelView, Reply> asides) {
      this.asides = asides;
      return this;
    }

    /// Sets the transcripts of the caller's speeches, in order; later ones are empty.
    public Builder transcripts(String... words) {
      transcripts.addAll(List.of(words));
      return this;
    }

    /// Sets the clock of pace and lifetime.
    public Builder time(Time time) {
      this.time = time;
      return this;
    }

    /// Sets how much faster than real time audio arrives; by default it arrives at once.
    public Builder pace(double pace) {
      this.pace = pace;
      return this;
    }

    /// Sets the maximum duration of a session, 60 minutes by default.
    public Builder lifetime(Duration lifetime) {
      this.lifetime = lifetime;
      return this;
    }

    /// Accepts `strict` in the tools of a session, which is refused by default.
    public Builder takingStrict() {
      takesStrict = true;
      return this;
    }

    /// Omits the id of the message from the error for a second response.
    public Builder namingNoEvent() {
      namesNoEvent = true;
      return this;
    }

    /// Refuses calls that the client adds itself, as some servers with this protocol do.
    public Builder refusingCalls() {
      refusesCalls = true;
      return this;
    }

    /// Starts it, on a free port.
    public RealtimeSimulator start() {
      return new RealtimeSimulator(
          new Settings(
              script,
              asides,
              transcripts,
              time,
              pace,
              lifetime,
              takesStrict,
              namesNoEvent,
              refusesCalls));
    }
  }
}
