package dev.switchboard.attempt;

import dev.switchboard.attempt.Attempts.Limit;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.kotlin.Kotlin;
import dev.switchboard.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// One attempt of a call, and what the handler sees of it.
///
/// It ends once: by the handler's thread with an answer or a failure, or by another that finishes
/// it. A handler on a thread of its own is then interrupted and abandoned; one on the caller's
/// thread is made to return by its cancel actions. What a handler does after that has no effect.
public final class Attempt extends Time.Signal implements Runnable, ToolContext {
  private static final System.Logger LOG = System.getLogger(Attempts.class.getName());

  private static final Limit UNBOUNDED =
      new Limit(Long.MAX_VALUE, new End.TimedOut(true, Duration.ZERO));

  private final Attempts running;
  private final int number;
  // Read only where the attempt is bounded, and set before.
  private volatile Limit limit = UNBOUNDED;
  private volatile @Nullable End end; // set once, guarded by this
  private boolean begun; // whether the handler has; guarded by this
  private int asked; // guarded by this
  private @Nullable List<Runnable> onCancel; // guarded by this
  private @Nullable Thread worker; // the caller's thread only; null where the handler runs on it
  private boolean cut; // the handler's thread only

  Attempt(Attempts running, int number) {
    this.running = running;
    this.number = number;
  }

  /// Runs the handler on a virtual thread of its own, which has the tool's name.
  void startAlone() {
    worker = Thread.ofVirtual().name(running.call().call().name()).start(this);
  }

  @Override
  public void run() {
    if (!begins()) {
      return;
    }
    Attempted call = running.call();
    Object value;
    try {
      Object answer = call.handler().handle(call.arguments(), this);
      value = Kotlin.answer(answer instanceof CompletionStage<?> ? awaited(answer) : answer);
    } catch (Throwable thrown) {
      fail(cause(thrown), false);
      return;
    }
    try {
      int limit = running.options().resultLimit();
      if (!end(new End.Answered(ResultConverter.of(value, limit, call.call().id())))) {
        call.late();
      }
    } catch (Throwable thrown) {
      fail(thrown, true);
    }
  }

  private synchronized boolean begins() {
    begun = end == null;
    return begun;
  }

  /// Whether its handler has begun; for good where the attempt has ended.
  synchronized boolean begun() {
    return begun;
  }

  private @Nullable Object awaited(Object answer) throws Exception {
    @Nullable Object value = answer;
    // A stage may hold itself, and would be awaited for ever.
    while (value instanceof CompletionStage<?> stage && !cancelled()) {
      value = stage.toCompletableFuture().get();
    }
    return value;
  }

  private static Throwable cause(Throwable thrown) {
    boolean wrapped = thrown instanceof ExecutionException || thrown instanceof CompletionException;
    return wrapped && thrown.getCause() != null ? thrown.getCause() : thrown;
  }

  /// @param answered whether the handler has acted, so that another attempt would act twice
  private void fail(Throwable thrown, boolean answered) {
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    End.Failed failure;
    try {
      failure = End.Failed.of(thrown, running.exposeErrors());
    } catch (Throwable hostile) {
      // An exception's own methods may throw.
      failure = End.Failed.of(hostile, false);
    }
    if (end(answered ? failure.last() : failure)) {
      cut = thrown instanceof InterruptedException;
      String tool = running.call().call().name();
      Level level = thrown instanceof ToolException ? Level.DEBUG : Level.INFO;
      LOG.log(level, () -> "tool '" + tool + "' threw " + thrown.getClass().getName());
      LOG.log(Level.DEBUG, () -> "tool '" + tool + "' threw", thrown);
    }
  }

  private boolean end(End how) {
    boolean first = decide(how);
    give();
    return first;
  }

  private synchronized boolean decide(End how) {
    if (end != null) {
      return false;
    }
    end = how;
    return true;
  }

  /// Ends the attempt this way, and its handler's work, unless it has already ended.
  End finish(End how) {
    if (decide(how)) {
      cancelWork();
    }
    return end();
  }

  /// Whether it ended because the thread that the handler ran on was interrupted.
  boolean cut() {
    return cut;
  }

  End end() {
    End how = end;
    if (how == null) {
      throw new IllegalStateException("the attempt has not ended");
    }
    return how;
  }

  private void cancelWork() {
    List<Runnable> actions;
    synchronized (this) {
      actions = onCancel == null ? List.of() : List.copyOf(onCancel);
    }
    if (worker == null) {
      actions.forEach(Attempt::runSafely);
      return;
    }
    if (!actions.isEmpty()) {
      // They are the handler's code and may take their time; the caller does not.
      Thread.ofVirtual()
          .name(running.call().call().name())
          .start(() -> actions.forEach(Attempt::runSafely));
    }
    worker.interrupt();
  }

  private static void runSafely(Runnable action) {
    try {
      action.run();
    } catch (Throwable thrown) {
      LOG.log(Level.DEBUG, "a cancel action threw", thrown);
    }
  }

  @Override
  public void onCancel(Runnable action) {
    synchronized (this) {
      if (end == null) {
        onCancel = onCancel == null ? new ArrayList<>() : onCancel;
        onCancel.add(action);
        return;
      }
    }
    runSafely(action);
  }

  @Override
  public boolean cancelled() {
    return end != null;
  }

  @Override
  public void progress(String text) {
    if (!cancelled()) {
      running.speech().progress(text, number);
    }
  }

  @Override
  public void alive() {
    if (!cancelled()) {
      limit = running.limit();
    }
  }

  /// The moment when its time is up, as things are now.
  Limit limit() {
    return limit;
  }

  @Override
  public ToolContext.ToolCaller tools() {
    return (tool, arguments) -> running.call().nested(this, nextId(), tool, arguments);
  }

  /// An id for what the handler asks for, unique in the conversation.
  public String nextId() {
    return toolCallId() + '.' + number + '.' + nextNumber();
  }

  private synchronized int nextNumber() {
    return ++asked;
  }

  @Override
  public ToolContext.Consent consent() {
    return running.call().consent(this);
  }

  @Override
  public Services services() {
    Services given = running.call().services();
    return MessageRouter.NOBODY.equals(given.router()) ? given.withRouter(this::deliver) : given;
  }

  private MessageRouter.Delivery deliver(MessageRouter.Letter letter) {
    return cancelled()
        ? MessageRouter.Delivery.failed("it was cancelled")
        : running.call().deliver(letter);
  }

  @Override
  public String conversationId() {
    return running.call().conversationId();
  }

  @Override
  public String principal() {
    return running.call().principal();
  }

  @Override
  public @Nullable String actor() {
    return running.call().actor();
  }

  @Override
  public String toolCallId() {
    return running.call().call().id();
  }

  @Override
  public @Nullable String caller() {
    return running.call().caller();
  }

  @Override
  public @Nullable String callee() {
    return running.call().callee();
  }

  @Override
  public Map<String, String> attributes() {
    return running.call().attributes();
  }

  @Override
  public String idempotencyKey() {
    return running.call().idempotencyKey();
  }

  @Override
  public int attempt() {
    return number;
  }

  @Override
  public Duration remaining() {
    return running.remaining();
  }

  @Override
  public Time time() {
    return running.time();
  }
}
