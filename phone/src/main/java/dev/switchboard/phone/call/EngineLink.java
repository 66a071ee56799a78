package dev.switchboard.phone.call;

import dev.switchboard.agent.LiveSession;
import dev.switchboard.json.Codec;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The call's session with the engine. It is opened when the caller is connected, and reopened with
/// the history after a loss.
///
/// For the actor's thread, except [#send].
final class EngineLink {
  private static final Duration READY = Duration.ofSeconds(20);
  private static final int MOST_RECONNECTS = 3;
  // A provider ends a session after an hour; it is replaced before that while no one speaks.
  private static final Duration RECYCLED = Duration.ofMinutes(50);
  private static final Duration SOON = Duration.ofSeconds(1);

  private final CallContext call;
  private final Engine engine;
  private final CallLifecycle lifecycle;
  private final ResponsePlayer player;
  private final CallTurns turns;
  private final CallJournal journal;
  private final EventLimiter limiter;
  private volatile @Nullable EngineSession open;
  private Engine.@Nullable Setup setup; // of the next session
  private int sessions;
  private int reconnects;
  private boolean isAgain; // whether the next session replaces a lost one

  EngineLink(
      CallContext call,
      Engine engine,
      CallLifecycle lifecycle,
      ResponsePlayer player,
      CallTurns turns,
      CallJournal journal,
      EventLimiter limiter) {
    this.call = call;
    this.engine = engine;
    this.lifecycle = lifecycle;
    this.player = player;
    this.turns = turns;
    this.journal = journal;
    this.limiter = limiter;
  }

  /// Sends the caller's audio; called from any thread.
  void send(byte[] audio) {
    EngineSession session = open;
    if (session != null) {
      session.send(audio);
    }
  }

  /// Whether that is the number of the open session.
  boolean isOpen(int session) {
    return open != null && session == sessions;
  }

  /// The current setup of a session.
  static Engine.Setup setup(LiveSession live) {
    return new Engine.Setup(live.instructions(), live.rules().modelDefinitions(), live.history());
  }

  /// Sets the setup of the next session, and opens it if the caller is connected.
  void prepare(Engine.Setup next) {
    setup = next;
    open();
  }

  /// Opens a session if its setup is known, none is open, and the caller is connected.
  void open() {
    Engine.Setup next = setup;
    if (next == null || open != null || !call.isConnected() || call.isOver()) {
      return;
    }
    sessions++;
    int session = sessions;
    EngineSession opened = engine.open(next, event -> limiter.add(session, event));
    open = opened;
    player.requests().open(opened, next);
    var unused =
        call.after(
            READY,
            () -> {
              if (isOpen(session) && !player.requests().isReady()) {
                lifecycle.fail("engine_timeout");
              }
            });
  }

  /// The session is ready.
  void ready() {
    if (isAgain && player.requests().isBusy()) {
      player.requests().say(Kind.NOTICE, call.settings().words().of(Phrase.RECONNECT), false);
    }
    isAgain = false;
    int session = sessions;
    Time.Alarm unused = call.after(RECYCLED, () -> recycle(session));
  }

  private void recycle(int session) {
    if (!isOpen(session) || call.isOver()) {
      return;
    }
    if (player.requests().isIdle() && !turns.isAtWork()) {
      call.note("engine_recycled", Codec.object());
      reopen(() -> {});
    } else {
      Time.Alarm unused = call.after(SOON, () -> recycle(session));
    }
  }

  /// Continues in a new session with the history.
  void reopen(Runnable then) {
    turns.sessionEnds();
    close();
    player.requests().forgetUnsent();
    journal.read(
        EngineLink::setup,
        next -> {
          prepare(next);
          then.run();
        });
  }

  /// The session is lost; a new one is opened, unless that would fail too.
  void lost(boolean fatal, String code) {
    call.note("engine_lost", Codec.object().put("code", code));
    turns.sessionEnds();
    player.lost();
    noteDropped(open);
    open = null;
    if (call.isOver()) {
      return;
    }
    reconnects++;
    if (fatal || reconnects > MOST_RECONNECTS) {
      lifecycle.fail(code);
      return;
    }
    isAgain = true;
    player.figures().reconnect();
    player.playout().beginTone();
    Time.Alarm unused =
        call.after(
            Duration.ofMillis(250L << reconnects),
            () -> {
              player.requests().forgetUnsent();
              journal.read(EngineLink::setup, this::prepare);
            });
  }

  /// Closes the session; its later events are ignored.
  void close() {
    EngineSession session = open;
    open = null;
    player.lost();
    noteDropped(session);
    if (session != null) {
      session.close();
    }
  }

  /// Records how much of the caller's audio that session dropped, and how much of the agent's came
  /// too fast.
  private void noteDropped(@Nullable EngineSession session) {
    long ofCaller = session == null ? 0 : session.dropped();
    if (ofCaller > 0) {
      call.note("audio_dropped", Codec.object().put("ms", ofCaller));
    }
    long ofAgent = limiter.dropped();
    if (ofAgent > 0) {
      call.note("speech_dropped", Codec.object().put("ms", ofAgent));
    }
  }
}
