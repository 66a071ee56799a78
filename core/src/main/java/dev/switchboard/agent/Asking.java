package dev.switchboard.agent;

import dev.switchboard.loop.AgentLoop;
import dev.switchboard.loop.Sentences;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.rule.StopReason;
import dev.switchboard.text.Unseen;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One question to a model, or to others in its place: tried again where that is sound, bounded in
/// time, and cut off from another thread.
///
/// The model works on a virtual thread of its own, so that one that hears neither cancel nor
/// interrupt is left behind.
final class Asking {
  private static final System.Logger LOG = System.getLogger(AgentLoop.class.getName());
  private static final int MAX_ATTEMPTS = 3;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

  private final List<ChatModel> models;
  private final Duration limit;
  private final Time time;
  private ChatModel model; // that is asked now, of the thread that asks
  private long end; // of its time, of that thread
  private ModelReply.Usage spent = ModelReply.Usage.NONE; // of that thread
  private final Time.Signal stopped = new Time.Signal();
  private volatile @Nullable Attempt running;

  /// What came of it.
  sealed interface Answer {
    /// The model has replied.
    ///
    /// @param reply whose usage is that of all attempts
    /// @param by the model that has
    record Replied(ModelReply reply, boolean heard, ChatModel by) implements Answer {}

    /// It has not.
    ///
    /// @param cause what kept the model from replying, null where it was cut off
    record Failed(StopReason reason, @Nullable Kind cause) implements Answer {}
  }

  /// @param models the first to be asked, and those in its place
  /// @param limit bounds the question to one of them, its attempts and their pauses together
  Asking(List<ChatModel> models, Duration limit, Time time) {
    this.models = List.copyOf(models);
    this.limit = limit;
    this.time = time;
    model = models.getFirst();
    end = time.nanos() + limit.toNanos();
  }

  /// The answer, waited for by the thread that made this.
  ///
  /// @param show takes the events that tell of further attempts
  Answer ask(ModelRequest request, Supplier<ReplyStream> streams, Consumer<Event> show) {
    for (int i = 0; ; i++) {
      boolean last = i == models.size() - 1;
      Answer answer = askOne(request, streams, show, last);
      Kind cause = answer instanceof Answer.Failed failed ? failed.cause : null;
      if (last || cause == null || !goesOn(cause)) {
        return answer;
      }
      model = models.get(i + 1);
      end = time.nanos() + limit.toNanos();
      show.accept(Sentences.asksOther(models.get(i).name(), model.name(), cause));
    }
  }

  /// Whether another model is asked after that failure: words that were heard cannot be taken back.
  private boolean goesOn(Kind cause) {
    Attempt attempt = running;
    return cause.ofProvider() && attempt != null && !attempt.stream.heard();
  }

  /// The answer of the model whose turn it is. Only the last is asked more than once: before it,
  /// the next one is the other attempt.
  private Answer askOne(
      ModelRequest request, Supplier<ReplyStream> streams, Consumer<Event> show, boolean last) {
    boolean empty = false;
    for (int number = 1; ; number++) {
      Attempt attempt = new Attempt(request, streams.get());
      running = attempt;
      if (cutOff()) {
        return new Answer.Failed(StopReason.CANCELLED, null);
      }
      attempt.await();
      Kind lack = attempt.lack(empty);
      ModelReply reply = attempt.reply;
      if (reply != null) {
        spent = spent.plus(reply.usage());
      }
      if (reply != null && lack == null) {
        return new Answer.Replied(reply.withUsage(spent), attempt.stream.heard(), model);
      }
      Answer.Failed failed = failed(attempt, lack);
      Kind cause = failed.cause;
      Duration pause = cause == null || !last ? null : pause(attempt, number, cause, empty);
      if (cause == null || pause == null) {
        return failed;
      }
      empty |= cause == Kind.EMPTY;
      show.accept(Sentences.asksAgain(number + 1, MAX_ATTEMPTS, pause, cause));
      time.pause(stopped, pause);
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

  private boolean cutOff() {
    return stopped.given() || Thread.currentThread().isInterrupted();
  }

  private Answer.Failed failed(Attempt attempt, @Nullable Kind lack) {
    if (cutOff()) {
      return new Answer.Failed(StopReason.CANCELLED, null);
    }
    LOG.log(Level.WARNING, Unseen.line(model.name() + said(attempt, lack)));
    LOG.log(Level.DEBUG, "the model failed", attempt.failure);
    boolean late = lack == Kind.TIMEOUT;
    return new Answer.Failed(late ? StopReason.MODEL_TIMEOUT : StopReason.MODEL_ERROR, lack);
  }

  private static String said(Attempt attempt, @Nullable Kind lack) {
    if (attempt.reply != null) {
      return lack == Kind.FILTERED
          ? " replied with nothing: its provider held the words back"
          : " replied with neither words nor calls";
    }
    return switch (attempt.failure) {
      case ModelException known when !attempt.late -> ": " + known.getMessage();
      case RuntimeException other when !attempt.late -> ": " + other.getClass().getName();
      case null, default -> " did not answer in time";
    };
  }

  /// How long to wait before the next attempt, null for none. Words that were heard cannot be taken
  /// back; an empty reply is asked for once more.
  private @Nullable Duration pause(Attempt attempt, int number, Kind cause, boolean empty) {
    Duration once = cause == Kind.EMPTY && !empty ? Duration.ZERO : null;
    Duration pause = attempt.reply == null ? attempt.pause(number) : once;
    return number == MAX_ATTEMPTS
            || pause == null
            || pause.compareTo(Duration.ofNanos(end - time.nanos())) >= 0
        ? null
        : pause;
  }

  private final class Attempt extends Time.Signal implements Runnable {
    private final ModelRequest request;
    private final @Nullable FinalTool finalTool;
    private final ReplyStream stream;
    private final ChatModel asked;
    private final @Nullable Thread thread;
    private volatile @Nullable ModelReply reply;
    private volatile @Nullable RuntimeException failure;
    private volatile @Nullable Error error;
    private volatile boolean late;

    Attempt(ModelRequest request, ReplyStream stream) {
      finalTool = FinalTool.of(request, model);
      this.request = finalTool == null ? request : finalTool.request();
      this.stream = stream;
      asked = model;
      thread = model.endsWhenCancelled() ? null : Thread.ofVirtual().name("model").unstarted(this);
    }

    @Override
    public void run() {
      try {
        reply = replied(asked.reply(request, stream));
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
      stream.end();
      return finalTool == null ? given : finalTool.read(given);
    }

    /// What keeps this from being a reply, null for nothing.
    ///
    /// @param again whether an attempt before was empty
    @Nullable Kind lack(boolean again) {
      ModelReply given = reply;
      if (given == null) {
        return late ? Kind.TIMEOUT : failure instanceof ModelException e ? e.kind() : Kind.BROKEN;
      }
      if (!given.calls().isEmpty()) {
        return null;
      }
      if (given.text().isBlank()) {
        return given.finish() == ModelReply.FinishReason.FILTERED ? Kind.FILTERED : Kind.EMPTY;
      }
      boolean announced = given.finish() == ModelReply.FinishReason.TOOL_CALLS;
      return announced && !again && !stream.heard() ? Kind.EMPTY : null;
    }

    /// How long its failure wants to be waited for, null where it does not pass.
    @Nullable Duration pause(int number) {
      if (stream.heard() || !(failure instanceof ModelException known) || !known.kind().passing()) {
        return null;
      }
      Duration told = known.retryAfter();
      return told == null ? FIRST_PAUSE.multipliedBy(1L << (number - 1)) : told;
    }

    /// Returns when it is over, and throws the error that the model died of.
    void await() {
      if (thread == null) {
        runHere();
      } else {
        thread.start();
        time.await(this, end);
        if (!given()) {
          cutOffLate();
        }
      }
      if (error != null) {
        throw error;
      }
    }

    private void runHere() {
      Time.Alarm alarm = time.alarm(end, this::cutOffLate);
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
