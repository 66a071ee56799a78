package dev.switchboard.agent;

import dev.switchboard.execution.host.HostSession;
import dev.switchboard.loop.Sentences;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.rule.StopReason;
import dev.switchboard.state.LoopState;
import dev.switchboard.tool.Event;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A request of a live session to the agent's models. A request that is too long is made shorter on
/// the thread of the session, for which the thread that asks waits.
///
/// Thread-safe, except what the session asks about it.
final class LiveRequest implements LiveSession.Request {
  private final ModelTurn.Asking asking;
  private final HostSession host;
  private final RunningCalls running;
  private final Executor journal;
  private final BooleanSupplier latest;
  private final AtomicBoolean asked = new AtomicBoolean();
  private boolean stored; // of the thread of the session
  private volatile boolean cancelled;
  private volatile @Nullable StopReason failure; // as the host knows it
  private volatile CompletableFuture<@Nullable ModelRequest> shortened =
      CompletableFuture.completedFuture(null);

  /// @param running counts the request while it runs
  /// @param journal runs steps on the thread of the session
  /// @param latest whether the session has made no other request since; for that thread
  LiveRequest(
      ModelTurn.Asking asking,
      HostSession host,
      RunningCalls running,
      Executor journal,
      BooleanSupplier latest) {
    this.asking = asking;
    this.host = host;
    this.running = running;
    this.journal = journal;
    this.latest = latest;
  }

  @Override
  public LiveSession.Outcome reply(Consumer<String> words) {
    if (asked.getAndSet(true)) {
      throw new IllegalStateException("a request is asked once");
    }
    Consumer<Event> show =
        event -> {
          if (!(event instanceof Event.Content(String text))) {
            host.events().show(event);
          } else if (!cancelled) {
            words.accept(text);
          }
        };
    ModelCall.Answer answer =
        running.during(
            () -> host.cancellable(this::cancel, () -> asking.ask(show, this::onJournal)));
    LiveSession.Outcome outcome = outcome(answer);
    failure = outcome instanceof LiveSession.Outcome.Failed failed ? failed.reason() : null;
    return outcome;
  }

  private LiveSession.Outcome outcome(ModelCall.Answer answer) {
    if (cancelled) {
      return new LiveSession.Outcome.Failed(StopReason.CANCELLED);
    }
    return switch (answer) {
      case ModelCall.Answer.Replied replied -> new LiveSession.Outcome.Replied(replied.reply());
      case ModelCall.Answer.Failed failed -> new LiveSession.Outcome.Failed(failed.reason());
    };
  }

  @Override
  public void cancel() {
    cancelled = true;
    asking.cancel();
    boolean unused = shortened.complete(null);
  }

  private ModelCall.Shortening onJournal(ModelCall.Shortening shortening) {
    return (model, window) -> {
      Supplier<@Nullable ModelRequest> step =
          () -> cancelled || !latest.getAsBoolean() ? null : shortening.shorter(model, window);
      CompletableFuture<@Nullable ModelRequest> waiting =
          CompletableFuture.supplyAsync(step, journal);
      shortened = waiting;
      if (cancelled) {
        return null;
      }
      try {
        return waiting.join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof RuntimeException thrown ? thrown : e;
      }
    };
  }

  /// @throws IllegalStateException while it is not answered
  void checkAnswered() {
    if (!asking.isAnswered()) {
      throw new IllegalStateException("a reply is stored after its request was answered");
    }
  }

  /// Whether it is answered, and not stored yet.
  boolean isToBeStored() {
    return !stored && asking.isAnswered();
  }

  /// Whether models have used anything for it, as far as is known.
  boolean hasUsed() {
    return asking.isAnswered() && !asking.answer().used().isEmpty();
  }

  /// The line of a reply of which that was said.
  TranscriptEntry.Replied line(ModelTurn model, ModelReply said, LoopState at) {
    if (stored) {
      return model.line(said, at.turn(), at.round());
    }
    stored = true;
    ModelReply counted =
        said.usage().equals(ModelReply.Usage.NONE) ? said.withUsage(asking.usage()) : said;
    return model.line(counted, asking, at.turn(), at.round());
  }

  /// The line of a request without a reply.
  TranscriptEntry.Failed line() {
    stored = true;
    ModelCall.Answer answer = asking.answer();
    return answer instanceof ModelCall.Answer.Failed failed && failed.reason() == failure
        ? Sentences.failed(failed.reason(), failed.cause(), failed.used())
        : Sentences.failed(StopReason.CANCELLED, null, answer.used());
  }
}
