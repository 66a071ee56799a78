package dev.switchboard.execution;

import dev.switchboard.handler.ToolOptions;
import dev.switchboard.time.Signal;
import dev.switchboard.time.Time;
import dev.switchboard.tool.InterruptPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A call on its way through its attempts: one thread, the caller's, makes them, waits and pauses.
///
/// An attempt is made in one of three places: inline, on the caller's thread with nothing to bound
/// it; watched, on the caller's thread too, where an alarm makes it return; isolated, on a thread
/// of its own, which is left behind.
final class RunningCall {
  private final Ticket ticket;
  private final Environment environment;
  private final long started;
  private final long deadline;
  private final Speech speech;
  private final boolean watchable;
  // Whether somebody wants it to end, and whether that cancels it.
  private volatile boolean asked;
  private volatile boolean cancelled;
  // Whether the caller's thread goes on waiting although somebody wants the call to end.
  private volatile boolean patient = true;
  // How to end what the caller's thread is at.
  private volatile @Nullable Runnable stop;
  // The caller's thread only.
  private boolean interrupted;
  private int made; // attempts whose handler has begun

  RunningCall(Ticket ticket, Environment environment, long started) {
    this.ticket = ticket;
    this.environment = environment;
    this.started = started;
    long own = started + options().deadline().toNanos();
    RunningCall outer = ticket.arrival().outer();
    deadline = outer == null || own - outer.deadline < 0 ? own : outer.deadline;
    speech = new Speech(call().id(), session(), options().reassurance(), started);
    watchable = isWatchable();
  }

  /// What came of it: attempts until one answers, none may follow, or the time is up.
  Outcome.Ran run() {
    session().started(this);
    try {
      begin();
      for (int n = 1; !cancelled; n++) {
        End end = attempt(n);
        Duration pause = pauseAfter(end, n);
        if (pause == null) {
          return outcome(end);
        }
        environment.listeners().retrying(call(), n, end, pause);
        pause(end, pause);
        if (givesUpAfter(end) && !cancelled) {
          return outcome(end);
        }
      }
      return outcome(new End.Cancelled());
    } finally {
      speech.close();
      session().ended(this);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Takes note of what came before the first attempt, which is then not made.
  private void begin() {
    noticeInterrupt();
    if (session().cancelled()) {
      cancelled = true;
    }
    if (interrupted && options().inline()) {
      // Its handler, if it runs, is the one to see it.
      Thread.currentThread().interrupt();
    }
  }

  private End attempt(int n) {
    Attempt attempt = new Attempt(this, n);
    boolean watched = watchable && !interrupted && !options().inline();
    End end = options().inline() ? inline(attempt) : watched ? watched(attempt) : isolated(attempt);
    if (attempt.begun()) {
      made = n;
    }
    if (!watched || !attempt.cut()) {
      return end;
    }
    // One that an interrupt has cut short is made again, now where interrupts do not reach.
    return cancelled ? new End.Cancelled() : attempt(n);
  }

  private static End inline(Attempt attempt) {
    attempt.run();
    return attempt.end();
  }

  /// When the time of an attempt that begins now is up.
  Limit limit() {
    long timeout = environment.time().nanos() + options().timeout().toNanos();
    boolean last = timeout - deadline >= 0;
    return new Limit(last ? deadline : timeout, new End.TimedOut(last));
  }

  private End watched(Attempt attempt) {
    attempt.alive();
    Watch watch = new Watch(this, attempt);
    stop = () -> attempt.finish(new End.Cancelled());
    try {
      watch.begin();
      if (cancelled) {
        return attempt.finish(new End.Cancelled());
      }
      attempt.run();
    } finally {
      watch.end();
      stop = null;
    }
    noticeInterrupt();
    return attempt.end();
  }

  private End isolated(Attempt attempt) {
    attempt.alive();
    attempt.startAlone();
    do {
      await(attempt, attempt.limit().at(), false);
    } while (!attempt.given() && !cancelled && remaining(attempt.limit()) > 0);
    return attempt.finish(cancelled ? new End.Cancelled() : attempt.limit().passed());
  }

  private long remaining(Limit limit) {
    return limit.at() - environment.time().nanos();
  }

  /// Whether an attempt can be made to return from the caller's thread, and an interrupt of that
  /// thread does no harm: it cancels the call, or the attempt may be made twice.
  private boolean isWatchable() {
    boolean harmless = mayBeInterrupted() || options().retry().maxRetries() > 0;
    // The thread of a nested call is its outer call's, which interrupts it at its end.
    boolean own = ticket.arrival().outer() == null;
    return harmless && own && ticket.tool().handler().endsWhenCancelled();
  }

  /// Waits until the signal is given, the call is cancelled, or the clock reaches the moment,
  /// reassuring meanwhile.
  ///
  /// @param idle whether nobody works meanwhile
  private void await(Signal signal, long until, boolean idle) {
    Time time = environment.time();
    stop = signal::give;
    for (long now = time.nanos();
        !signal.given() && !cancelled && (patient || !asked) && now - until < 0;
        now = time.nanos()) {
      long next = speech.nextBefore(until);
      if (idle && next == until) {
        time.pause(signal, Duration.ofNanos(until - now));
      } else {
        time.await(signal, next);
      }
      noticeInterrupt();
      if (!signal.given() && !cancelled && speech.reassuranceIsDue(time.nanos())) {
        speech.reassure();
      }
    }
    stop = null;
  }

  private void pause(End end, Duration length) {
    patient = end.leavesDoubt();
    if (!givesUpAfter(end)) {
      await(new Signal(), environment.time().nanos() + length.toNanos(), true);
    }
    patient = true;
  }

  /// Whether no attempt follows that one, since somebody wants the call to end and it is known what
  /// came of it.
  private boolean givesUpAfter(End end) {
    return asked && !end.leavesDoubt();
  }

  private void noticeInterrupt() {
    if (Thread.interrupted()) {
      interrupted = true;
      interrupt();
    }
  }

  /// How long to wait before the next attempt, or null when there is none.
  private @Nullable Duration pauseAfter(End end, int n) {
    boolean over = cancelled || givesUpAfter(end) || !end.mayRepeat(ticket.tool());
    if (over || n > options().retry().maxRetries()) {
      return null;
    }
    Duration pause = options().retry().pause(n - 1, environment.random());
    Duration asked = end instanceof End.Failed failed ? failed.retryAfter() : null;
    Duration length = asked != null && asked.compareTo(pause) > 0 ? asked : pause;
    return length.compareTo(remaining()) < 0 ? length : null;
  }

  private Outcome.Ran outcome(End end) {
    long nanos = environment.time().nanos() - started;
    ToolResult result =
        switch (end) {
          case End.Answered(ToolResult answer) -> answer;
          case End.Failed failed -> Refusal.failed(failed, made);
          case End.TimedOut(boolean deadlinePassed) ->
              Refusal.timedOut(
                  call(),
                  deadlinePassed ? Duration.ofNanos(deadline - started) : options().timeout(),
                  Math.max(1, made));
          case End.Cancelled() -> Refusal.cancelled(call());
        };
    return new Outcome.Ran(result, end.health(), made, nanos);
  }

  /// Cancels the call, where its tool lets that be done; any other makes no further attempt, unless
  /// nobody knows what came of the last.
  void interrupt() {
    asked = true;
    boolean cancels = mayBeInterrupted();
    if (cancels) {
      cancelled = true;
    }
    Runnable ending = stop;
    if (ending != null && (cancels || !patient)) {
      ending.run();
    }
  }

  boolean mayBeInterrupted() {
    return options().onInterrupt() == InterruptPolicy.CANCEL;
  }

  Duration remaining() {
    return Duration.ofNanos(Math.max(0, deadline - environment.time().nanos()));
  }

  int depth() {
    RunningCall outer = ticket.arrival().outer();
    return outer == null ? 1 : outer.depth() + 1;
  }

  String idempotencyKey() {
    return session().idempotencyKey(environment.services().agent(), call().id());
  }

  Ticket ticket() {
    return ticket;
  }

  Environment environment() {
    return environment;
  }

  Speech speech() {
    return speech;
  }

  ToolSession session() {
    return ticket.arrival().session();
  }

  ToolCall call() {
    return ticket.call();
  }

  private ToolOptions options() {
    return ticket.tool().options();
  }
}
