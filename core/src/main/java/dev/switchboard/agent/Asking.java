package dev.switchboard.agent;

import dev.switchboard.json.Unseen;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.rule.StopReason;
import dev.switchboard.time.Alarm;
import dev.switchboard.time.Signal;
import dev.switchboard.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One question to a model: tried again where that is sound, bounded in time, and cut off from
/// another thread.
///
/// The model works on a virtual thread of its own, so that one that hears neither cancel nor
/// interrupt is left behind.
final class Asking {
  private static final System.Logger LOG = System.getLogger(AgentLoop.class.getName());
  private static final int MAX_RETRIES = 2;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

  private final ChatModel model;
  private final Time time;
  private final long end;
  private final Signal stopped = new Signal();
  private volatile @Nullable Attempt running;

  /// What came of it.
  sealed interface Answer {
    record Replied(ModelReply reply, boolean heard) implements Answer {}

    record Failed(StopReason reason) implements Answer {}
  }

  /// @param limit bounds the question, its attempts and their pauses together
  Asking(ChatModel model, Duration limit, Time time) {
    this.model = model;
    this.time = time;
    end = time.nanos() + limit.toNanos();
  }

  /// The answer, waited for by the thread that made this.
  Answer ask(ModelRequest request, Supplier<ReplyStream> streams) {
    for (int retries = 0; ; retries++) {
      Attempt attempt = new Attempt(request, streams.get());
      running = attempt;
      if (stopped.given()) {
        return new Answer.Failed(StopReason.CANCELLED);
      }
      attempt.await();
      if (attempt.error != null) {
        throw attempt.error;
      }
      ModelReply reply = attempt.reply;
      if (reply != null) {
        return new Answer.Replied(reply, attempt.stream.heard());
      }
      Answer.Failed failed = failed(attempt);
      if (failed.reason != StopReason.MODEL_ERROR || !mayRetry(attempt, retries)) {
        return failed;
      }
    }
  }

  /// Ends it from another thread.
  void cancel() {
    stopped.give();
    Attempt attempt = running;
    if (attempt != null) {
      attempt.cutOff();
    }
  }

  private Answer.Failed failed(Attempt attempt) {
    RuntimeException failure = attempt.failure;
    if (stopped.given() || Thread.currentThread().isInterrupted()) {
      return new Answer.Failed(StopReason.CANCELLED);
    }
    boolean late =
        attempt.late
            || failure instanceof ModelException known
                && known.kind() == ModelException.Kind.TIMEOUT;
    LOG.log(
        Level.WARNING,
        Unseen.line(
            model.name()
                + (attempt.late || failure == null
                    ? " did not answer in time"
                    : ": " + said(failure))));
    LOG.log(Level.DEBUG, "the model failed", failure);
    return new Answer.Failed(late ? StopReason.MODEL_TIMEOUT : StopReason.MODEL_ERROR);
  }

  private static String said(RuntimeException failure) {
    return failure instanceof ModelException known
        ? String.valueOf(known.getMessage())
        : failure.getClass().getName();
  }

  /// Whether it is tried again, after a pause. Words that were heard cannot be taken back.
  private boolean mayRetry(Attempt attempt, int retries) {
    if (retries == MAX_RETRIES
        || attempt.stream.heard()
        || !(attempt.failure instanceof ModelException known)
        || !known.kind().passing()) {
      return false;
    }
    Duration told = known.retryAfter();
    Duration pause = told == null ? FIRST_PAUSE.multipliedBy(1L << retries) : told;
    if (pause.compareTo(Duration.ofNanos(end - time.nanos())) >= 0) {
      return false;
    }
    time.pause(stopped, pause);
    return !stopped.given() && !Thread.currentThread().isInterrupted();
  }

  private final class Attempt extends Signal implements Runnable {
    private final ModelRequest request;
    private final ReplyStream stream;
    private final @Nullable Thread thread;
    private volatile @Nullable ModelReply reply;
    private volatile @Nullable RuntimeException failure;
    private volatile @Nullable Error error;
    private volatile boolean late;

    Attempt(ModelRequest request, ReplyStream stream) {
      this.request = request;
      this.stream = stream;
      thread = model.endsWhenCancelled() ? null : Thread.ofVirtual().name("model").unstarted(this);
    }

    @Override
    public void run() {
      try {
        reply = replied(model.reply(request, stream));
      } catch (RuntimeException e) {
        failure = e;
      } catch (Error e) {
        // Handed to whoever asked: such as a test's own failure.
        error = e;
      } finally {
        give();
      }
    }

    /// A model of somebody's own may break its promise.
    private ModelReply replied(@Nullable ModelReply given) {
      if (given == null) {
        throw new IllegalStateException("a model must not return null");
      }
      return given;
    }

    void await() {
      if (thread == null) {
        runHere();
        return;
      }
      thread.start();
      time.await(this, end);
      if (!given()) {
        cutOffLate();
      }
    }

    private void runHere() {
      Alarm alarm = time.alarm(end, this::cutOffLate);
      try {
        run();
      } finally {
        alarm.cancel();
      }
    }

    private void cutOffLate() {
      late = true;
      cutOff();
    }

    void cutOff() {
      stream.cancel();
      if (thread != null) {
        thread.interrupt();
      }
      give();
    }
  }
}
