package dev.switchboard.attempt;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException.Kind;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.time.Time;
import dev.switchboard.tool.RetryPolicy;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The attempts of a call: one thread, the caller's, makes them, waits and pauses.
///
/// An attempt is made in one of three places: inline, on the caller's thread with nothing to bound
/// it; watched, on the caller's thread too, where an alarm makes it return; isolated, on a thread
/// of its own, which is abandoned when the time is up.
public final class Attempts {
  /// The moment when an attempt's time is up, and how it then ends.
  record Limit(long at, End.TimedOut passed) {}

  private static final AdaptiveSpin SPIN =
      new AdaptiveSpin(Runtime.getRuntime().availableProcessors(), Time.SYSTEM::nanos);

  private final Attempted call;
  private final Tool tool;
  private final ToolOptions options;
  private final @Nullable Attempts outer; // of the call whose handler made this one
  private final boolean inline;
  private final Settings settings;
  private final Time time;
  private final long started;
  private final long deadline;
  private final ProgressReporter speech;
  // Whether it was asked to end, and whether that cancels it.
  private volatile boolean asked;
  private volatile boolean cancelled;
  // Whether the caller's thread waits no longer once the call was asked to end.
  private volatile boolean impatient;
  // How to end what the caller's thread is at.
  private volatile @Nullable Runnable stop;
  // The caller's thread only.
  private boolean interrupted;
  private int begun; // attempts whose handler has begun
  private long took; // in nanoseconds

  /// What is the same for all calls of an executor.
  ///
  /// @param random the jitter of pauses
  /// @param exposeErrors whether the model reads the message of any exception
  public record Settings(Time time, RandomGenerator random, boolean exposeErrors) {}

  /// The attempts of a call that begins now.
  public Attempts(Attempted call, Settings settings) {
    this.call = call;
    this.settings = settings;
    tool = call.tool();
    options = tool.options();
    outer = call.outer();
    inline = options.inline() && !call.isProbe();
    time = settings.time();
    started = time.nanos();
    long own = started + (call.isProbe() ? options.timeout() : call.deadline()).toNanos();
    deadline = outer == null || own - outer.deadline < 0 ? own : outer.deadline;
    speech = new ProgressReporter(call, options.reassurance(), started);
  }

  /// How the last attempt ended: the one that answered, after which none may follow, or at which
  /// the time was up.
  public End run() {
    call.began(this);
    try {
      begin();
      for (int n = 1; !cancelled; n++) {
        End end = attempt(n);
        Duration pause = pauseAfter(end, n);
        if (pause == null) {
          return last(end);
        }
        call.retrying(n, end.cause(), pause);
        pause(end, pause);
        if (givesUpAfter(end) && !cancelled) {
          return last(end);
        }
      }
      return last(new End.Cancelled());
    } finally {
      speech.close();
      call.ended(this);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Records what ended the call before the first attempt, which is then not made.
  private void begin() {
    noticeInterrupt();
    if (call.cancelled()) {
      cancelled = true;
    }
    if (interrupted && inline) {
      // Its handler, if it runs, is the one to see it.
      Thread.currentThread().interrupt();
    }
  }

  private End attempt(int n) {
    if (!call.mayBegin()) {
      cancelled = true;
      return new End.Cancelled();
    }
    Attempt attempt = new Attempt(this, n);
    boolean watched = !interrupted && !inline && isWatchable();
    End end = inline ? inline(attempt) : watched ? watched(attempt) : isolated(attempt);
    if (attempt.begun()) {
      begun = n;
    }
    if (!watched || !attempt.cut()) {
      return end;
    }
    // One that an interrupt has cut short is repeated, now out of reach of interrupts.
    return cancelled ? new End.Cancelled() : attempt(n);
  }

  private static End inline(Attempt attempt) {
    attempt.run();
    return attempt.end();
  }

  /// The moment when the time of an attempt that begins now is up.
  Limit limit() {
    long timeout = time.nanos() + options.timeout().toNanos();
    boolean last = timeout - deadline >= 0;
    Duration length = last ? Duration.ofNanos(deadline - started) : options.timeout();
    return new Limit(last ? deadline : timeout, new End.TimedOut(last, length));
  }

  private End watched(Attempt attempt) {
    attempt.alive();
    AttemptMonitor watch = new AttemptMonitor(this, attempt);
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
    SPIN.await(attempt);
    do {
      await(attempt, attempt.limit().at());
    } while (!attempt.given() && !cancelled && remaining(attempt.limit()) > 0);
    return attempt.finish(cancelled ? new End.Cancelled() : attempt.limit().passed());
  }

  private long remaining(Limit limit) {
    return limit.at() - time.nanos();
  }

  /// Whether an attempt can be made to return from the caller's thread, and an interrupt of that
  /// thread does no harm: it cancels the call, or the attempt may be made twice.
  private boolean isWatchable() {
    boolean twice = options.mayActTwice() && options.retry().maxRetries() > 0;
    boolean harmless = mayBeInterrupted() || twice;
    // The thread of a nested call is its outer call's, which interrupts it at its end.
    boolean own = outer == null;
    return harmless && own && call.handler().endsWhenCancelled();
  }

  /// Waits until the signal is given, the call is cancelled, or the clock reaches the moment,
  /// reassuring meanwhile.
  private void await(Time.Signal signal, long until) {
    stop = signal::give;
    while (!signal.given() && !cancelled && time.nanos() - until < 0) {
      time.await(signal, speech.nextBefore(until));
      noticeInterrupt();
      if (!signal.given() && !cancelled && speech.reassuranceIsDue(time.nanos())) {
        speech.reassure();
      }
    }
    stop = null;
  }

  /// Waits likewise while no attempt is running. A clock made by hand lets the whole pass at once.
  private void idle(long until) {
    for (long now = time.nanos(); !isOver() && now - until < 0; now = time.nanos()) {
      Time.Signal signal = new Time.Signal();
      stop = signal::give;
      long next = speech.nextBefore(until);
      Time.Alarm due = next == until ? null : time.alarm(next, signal::give);
      if (!isOver()) {
        time.pause(signal, Duration.ofNanos(until - now));
      }
      if (due != null) {
        due.cancel();
      }
      noticeInterrupt();
      if (!isOver() && speech.reassuranceIsDue(time.nanos())) {
        speech.reassure();
      }
    }
    stop = null;
  }

  private boolean isOver() {
    return cancelled || (impatient && asked);
  }

  private void pause(End end, Duration length) {
    impatient = !end.leavesDoubt();
    if (!givesUpAfter(end)) {
      idle(time.nanos() + length.toNanos());
    }
    impatient = false;
  }

  /// Whether no attempt follows that one, since the call was asked to end and the attempt's outcome
  /// is known.
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
    boolean over = cancelled || call.isProbe() || givesUpAfter(end) || !mayRepeat(end);
    if (over || n > options.retry().maxRetries()) {
      return null;
    }
    Duration pause = options.retry().pause(n - 1, settings.random());
    Duration asked = end instanceof End.Failed failed ? failed.retryAfter() : null;
    Duration length = asked != null && asked.compareTo(pause) > 0 ? asked : pause;
    return length.compareTo(remaining()) < 0 ? length : null;
  }

  /// Whether the tool's policy allows another attempt after that one.
  private boolean mayRepeat(End end) {
    if (!options.mayActTwice()) {
      return end instanceof End.Failed failed && failed.kind() == Kind.UNSENT;
    }
    return switch (end) {
      case End.Answered(var result) -> false;
      case End.Cancelled() -> false;
      case End.TimedOut(var deadlinePassed, var limit) ->
          !deadlinePassed && tool.handler().endsWhenInterrupted();
      case End.Failed failed ->
          switch (failed.kind()) {
            case FAILURE -> options.retry().on() == RetryPolicy.On.ANY;
            case TRANSIENT, UNSENT, LOST -> true;
            case FINAL, PERMANENT, INVALID -> false;
          };
    };
  }

  private End last(End end) {
    took = time.nanos() - started;
    return end;
  }

  /// The number of attempts whose handler began. Known once [#run] has returned.
  public int begun() {
    return begun;
  }

  /// The time from start to end. Known once [#run] has returned.
  public Duration took() {
    return Duration.ofNanos(took);
  }

  /// Cancels the call, where its tool allows it; otherwise no further attempt is made, unless the
  /// outcome of the last is unknown.
  public void interrupt() {
    asked = true;
    boolean cancels = mayBeInterrupted();
    if (cancels) {
      cancelled = true;
    }
    Runnable ending = stop;
    if (ending != null && (cancels || impatient)) {
      ending.run();
    }
  }

  boolean mayBeInterrupted() {
    return options.onInterrupt() == ToolOptions.InterruptPolicy.CANCEL;
  }

  /// The time left until the deadline, never negative.
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, deadline - time.nanos()));
  }

  /// The depth of tools that call tools, 1 for a call by the model.
  public int depth() {
    return outer == null ? 1 : outer.depth() + 1;
  }

  /// The options of the call's tool.
  ToolOptions options() {
    return options;
  }

  /// The call that is being attempted.
  public Attempted call() {
    return call;
  }

  ProgressReporter speech() {
    return speech;
  }

  Time time() {
    return time;
  }

  boolean exposeErrors() {
    return settings.exposeErrors();
  }
}
