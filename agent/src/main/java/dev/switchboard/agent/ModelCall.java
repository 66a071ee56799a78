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
import dev.switchboard.text.Durations;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One request to a model, or to its fallbacks: retried if that is safe, limited in time, and
/// cancellable from another thread.
///
/// The model runs on its own virtual thread, so a model that ignores cancel and interrupt can be
/// abandoned.
final class ModelCall {
  private static final System.Logger LOG = System.getLogger(AgentLoop.class.getName());
  private static final int MAX_ATTEMPTS = 3;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

  private final List<ChatModel> models;
  private final AgentLimits limits;
  private final Time time;
  private final ModelLog log;
  private @Nullable Kind logged; // why the model failed last, of the thread that asks
  private ChatModel model; // that is asked now, of the thread that asks
  private ModelRequest request = ModelRequest.of(); // of that thread
  private volatile long end; // of its time
  // What models have used, by name, of that thread.
  private final Map<String, ModelReply.Usage> spent = new LinkedHashMap<>();
  private final Time.Signal stopped = new Time.Signal();
  private volatile @Nullable Attempt running;

  /// Makes a request shorter that a model has refused as too long.
  interface Shortening {
    /// The shorter request, null if nothing can be left out.
    ///
    /// @param window how many tokens the model has said that it reads at once, 0 if it did not
    @Nullable ModelRequest shorter(ChatModel model, int window);
  }

  /// The outcome.
  sealed interface Answer {
    /// The model that was asked last.
    ChatModel by();

    /// What each model has used, by name.
    Map<String, ModelReply.Usage> used();

    /// The model has replied.
    record Replied(
        ModelReply reply, boolean streamed, ChatModel by, Map<String, ModelReply.Usage> used)
        implements Answer {}

    /// The model failed.
    ///
    /// @param cause why, null if it was cut off
    record Failed(
        StopReason reason, @Nullable Kind cause, ChatModel by, Map<String, ModelReply.Usage> used)
        implements Answer {}
  }

  /// @param models the first to be asked, then its fallbacks
  /// @param limits how long each may go without a sign of life, its attempts and their pauses
  ///   together
  /// @param log of the conversation
  ModelCall(List<ChatModel> models, AgentLimits limits, Time time, ModelLog log) {
    this.models = List.copyOf(models);
    this.limits = limits;
    this.time = time;
    this.log = log;
    model = models.getFirst();
  }

  private long endFromNow(ChatModel asked) {
    return time.nanos() + limits.modelTimeout(asked).toNanos();
  }

  /// Waits for the answer, on the calling thread.
  ///
  /// @param show receives the events that report further attempts
  Answer ask(
      ModelRequest first,
      Supplier<ReplyStream> streams,
      Consumer<Event> show,
      Shortening shortening) {
    request = first;
    end = endFromNow(model);
    for (int i = 0; ; i++) {
      boolean last = i == models.size() - 1;
      Answer answer = askOne(streams, show, shortening, last);
      Kind cause = answer instanceof Answer.Failed failed ? failed.cause : null;
      if (last || cause == null || !asksNext(cause)) {
        return answer;
      }
      model = models.get(i + 1);
      logged = null;
      end = endFromNow(model);
      show.accept(Sentences.asksOther(models.get(i).name(), model.name(), cause));
    }
  }

  /// Whether another model is asked after that failure; not once text of the reply was shown.
  private boolean asksNext(Kind cause) {
    Attempt attempt = running;
    return cause.ofProvider() && attempt != null && !attempt.stream.heard();
  }

  /// The answer of the current model. Only the last model is asked more than once: before it, the
  /// next model is the retry.
  private Answer askOne(
      Supplier<ReplyStream> streams, Consumer<Event> show, Shortening shortening, boolean last) {
    boolean empty = false;
    boolean shortened = false;
    for (int number = 1; ; number++) {
      Attempt attempt = new Attempt(request, streams.get());
      running = attempt;
      if (cutOff()) {
        return new Answer.Failed(StopReason.CANCELLED, null, model, Map.copyOf(spent));
      }
      attempt.await();
      Kind lack = attempt.lack(empty);
      ModelReply reply = attempt.reply;
      if (reply != null) {
        spent.merge(model.name(), reply.usage(), ModelReply.Usage::plus);
      }
      if (reply != null && lack == null) {
        return new Answer.Replied(reply, attempt.stream.heard(), model, Map.copyOf(spent));
      }
      Answer.Failed failed = failed(attempt, lack);
      Kind cause = failed.cause;
      ModelRequest shorter =
          cause == Kind.TOO_LONG && !shortened && !attempt.stream.heard()
              ? shortening.shorter(model, attempt.window())
              : null;
      if (shorter != null) {
        request = shorter;
        shortened = true;
        continue;
      }
      Duration pause = cause == null || !last ? null : pause(attempt, number, cause, empty);
      if (cause == null || pause == null) {
        return failed;
      }
      empty |= cause == Kind.EMPTY;
      show.accept(Sentences.asksAgain(number + 1, MAX_ATTEMPTS, pause, cause));
      time.pause(stopped, pause);
    }
  }

  /// Cancels the request from another thread.
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
      return new Answer.Failed(StopReason.CANCELLED, null, model, Map.copyOf(spent));
    }
    // Once if it fails again for the same reason.
    log.failed(lack == logged ? Level.DEBUG : Level.WARNING, said(attempt, lack));
    logged = lack;
    LOG.log(Level.DEBUG, "the model failed", attempt.failure);
    boolean late = lack == Kind.TIMEOUT;
    return new Answer.Failed(
        late ? StopReason.MODEL_TIMEOUT : StopReason.MODEL_ERROR, lack, model, Map.copyOf(spent));
  }

  private String said(Attempt attempt, @Nullable Kind lack) {
    String name = model.name();
    if (attempt.reply != null) {
      return lack == Kind.FILTERED
          ? name + " replied with nothing: its provider held the words back"
          : name + " replied with neither words nor calls";
    }
    return switch (attempt.failure) {
      case ModelException known when !attempt.late -> {
        String message = String.valueOf(known.getMessage());
        yield message.startsWith("model '" + name + "'") ? message : name + ": " + message;
      }
      case RuntimeException other when !attempt.late -> name + ": " + other.getClass().getName();
      case null, default ->
          "%s gave no sign of life for %s: raise limits.model_timeout"
              .formatted(name, Durations.text(limits.modelTimeout(model)));
    };
  }

  /// The pause before the next attempt, null for none. There is none once text of the reply was
  /// shown; an empty reply is requested once more.
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
    private volatile boolean over;
    private volatile Time.Alarm alarm = Time.Alarm.NONE;

    Attempt(ModelRequest request, ReplyStream stream) {
      finalTool = request.format() == null ? null : FinalTool.of(request, model);
      this.request = finalTool == null ? request : finalTool.request();
      this.stream = stream;
      asked = model;
      stream.onLife(this::prolong);
      thread = model.endsWhenCancelled() ? null : Thread.ofVirtual().name("model").unstarted(this);
    }

    @Override
    public void run() {
      try {
        reply = replied(asked.reply(request, stream));
      } catch (RuntimeException e) {
        failure = e;
      } catch (Error e) {
        // Rethrown to the caller, such as the failure of a test.
        error = e;
      } finally {
        give();
      }
    }

    /// Checks the reply of a model that users implement.
    private ModelReply replied(@Nullable ModelReply given) {
      if (given == null) {
        throw new IllegalStateException("a model must not return null");
      }
      stream.end();
      return finalTool == null ? given : finalTool.read(given);
    }

    /// Why this is not a reply, null if it is.
    ///
    /// @param again whether an earlier attempt was empty
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

    /// How many tokens the model has said that it reads at once, 0 if it did not.
    int window() {
      return failure instanceof ModelException known ? known.window() : 0;
    }

    /// The pause that its failure requests, null if the failure is permanent.
    @Nullable Duration pause(int number) {
      if (stream.heard() || !(failure instanceof ModelException known) || !known.passing()) {
        return null;
      }
      Duration stated = known.retryAfter();
      return stated == null ? FIRST_PAUSE.multipliedBy(1L << (number - 1)) : stated;
    }

    /// Returns when it is over, and throws an error that ended the model.
    void await() {
      if (thread == null) {
        runHere();
      } else {
        thread.start();
        while (!given() && time.nanos() - end < 0 && !Thread.currentThread().isInterrupted()) {
          time.await(this, end);
        }
        if (!given()) {
          cutOffLate();
        }
      }
      if (error != null) {
        throw error;
      }
    }

    private void runHere() {
      alarm = time.alarm(end, this::check);
      try {
        run();
      } finally {
        over = true;
        alarm.cancel();
      }
    }

    /// Cuts the attempt off if it had no sign of life since the alarm was set; else sets it again.
    private void check() {
      long until = end;
      if (over) {
        return;
      }
      if (time.nanos() - until >= 0) {
        cutOffLate();
      } else {
        alarm = time.alarm(until, this::check);
      }
    }

    /// Allows for more time after a sign of life, unless the attempt was given up.
    private void prolong() {
      if (!late && equals(running)) {
        end = endFromNow(asked);
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
