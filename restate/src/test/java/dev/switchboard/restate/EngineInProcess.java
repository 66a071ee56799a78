package dev.switchboard.restate;

import dev.restate.common.Output;
import dev.restate.common.Slice;
import dev.restate.common.Target;
import dev.restate.common.function.ThrowingFunction;
import dev.restate.sdk.common.HandlerRequest;
import dev.restate.sdk.common.InvocationId;
import dev.restate.sdk.common.RetryPolicy;
import dev.restate.sdk.common.TerminalException;
import dev.restate.sdk.endpoint.definition.AsyncResult;
import dev.restate.sdk.endpoint.definition.HandlerContext;
import dev.restate.sdk.endpoint.definition.HandlerDefinition;
import dev.restate.sdk.endpoint.definition.ServiceDefinition;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The part of the engine that the module uses, in this process: one invocation, its journal, and
/// as many attempts as it takes.
final class EngineInProcess {
  private final ServiceDefinition service;
  private final String conversation;
  private final String input;
  final List<byte[]> journal = new ArrayList<>();
  final List<String> sent = new ArrayList<>(); // to itself, and when
  private volatile @Nullable AttemptInProcess running;
  private volatile boolean killed;

  EngineInProcess(ServiceDefinition service, String conversation, Input input) {
    this.service = service;
    this.conversation = conversation;
    this.input = InputJson.write(input).text();
  }

  /// How a process dies.
  static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  /// One attempt.
  ///
  /// @param behind is run behind every entry that it writes, and may kill it
  /// @return what it failed with, null where it has come to the end
  @Nullable Throwable attempt(Runnable behind) {
    return attempt(new AttemptInProcess(behind, input));
  }

  /// One attempt with another body of the request.
  @Nullable Throwable attempt(String body) {
    return attempt(new AttemptInProcess(() -> {}, body));
  }

  private @Nullable Throwable attempt(AttemptInProcess attempt) {
    running = attempt;
    killed = false;
    try {
      @SuppressWarnings("unchecked")
      HandlerDefinition<byte[], Void> take =
          (HandlerDefinition<byte[], Void>) service.getHandler(ConversationObject.TAKE);
      take.getRunner()
          .run(attempt, take.getRequestSerde(), take.getResponseSerde(), attempt.onClosed)
          .get();
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      attempt.close();
    }
  }

  /// Attempts until one comes to the end.
  void complete() {
    for (int i = 0; i < 10; i++) {
      if (attempt(() -> {}) == null) {
        return;
      }
    }
    throw new AssertionError("it never ends");
  }

  /// The attempt that runs is dead: nothing of it is written any more.
  void kill() {
    AttemptInProcess attempt = running;
    if (attempt != null) {
      killed = true;
      attempt.close();
    }
  }

  boolean isKilled() {
    return killed;
  }

  void cancel() {
    AttemptInProcess attempt = running;
    if (attempt != null) {
      attempt.cancelled.complete(null);
    }
  }

  private final class AttemptInProcess implements HandlerContext {
    private final Runnable behind;
    private final String body;
    private final AtomicReference<Runnable> onClosed = new AtomicReference<>(() -> {});
    private final CompletableFuture<Void> cancelled = new CompletableFuture<>();
    private final AtomicBoolean heard = new AtomicBoolean();
    private int read;

    AttemptInProcess(Runnable behind, String body) {
      this.behind = behind;
      this.body = body;
    }

    void close() {
      onClosed.get().run();
    }

    @Override
    public String objectKey() {
      return conversation;
    }

    @Override
    public HandlerRequest request() {
      InvocationId id =
          new InvocationId() {
            @Override
            public long toRandomSeed() {
              return 0;
            }

            @Override
            public String toString() {
              return "inv_1";
            }
          };
      return new HandlerRequest(id, null, Slice.wrap(body), Map.of());
    }

    @Override
    public CompletableFuture<AsyncResult<Slice>> submitRun(
        @Nullable String name, Consumer<RunCompleter> closure) {
      CompletableFuture<Slice> result = new CompletableFuture<>();
      if (read < journal.size()) {
        result.complete(Slice.wrap(journal.get(read++)));
      } else {
        closure.accept(completer(result));
      }
      return CompletableFuture.completedFuture(new Result<>(result, this));
    }

    private RunCompleter completer(CompletableFuture<Slice> result) {
      return new RunCompleter() {
        @Override
        public void proposeSuccess(Slice slice) {
          journal.add(slice.toByteArray());
          read++;
          behind.run();
          if (!killed) {
            result.complete(slice);
          }
        }

        @Override
        public void proposeFailure(Throwable thrown, @Nullable RetryPolicy policy) {
          throw new AssertionError(thrown);
        }
      };
    }

    @Override
    public AsyncResult<Integer> createAnyAsyncResult(List<AsyncResult<?>> children) {
      CompletableFuture<Integer> any = children.getFirst().poll().thenApply(slice -> 0);
      // Whoever waits hears of a cancel once.
      var unused =
          cancelled.thenAccept(nothing -> {
            if (!any.isDone() && heard.compareAndSet(false, true)) {
              any.completeExceptionally(new TerminalException(TerminalException.CANCELLED_CODE));
            }
          });
      return new Result<>(any, this);
    }

    @Override
    public CompletableFuture<Void> set(String name, Slice value) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<AsyncResult<String>> send(
        Target target,
        Slice parameter,
        @Nullable String idempotencyKey,
        @Nullable Collection<Map.Entry<String, String>> headers,
        @Nullable Duration delay) {
      sent.add(target + " " + idempotencyKey + " after " + delay);
      return CompletableFuture.completedFuture(
          new Result<>(CompletableFuture.completedFuture("inv_2"), this));
    }

    private static <T> T unused() {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> writeOutput(Slice value) {
      return unused();
    }

    @Override
    public CompletableFuture<Void> writeOutput(TerminalException exception) {
      return unused();
    }

    @Override
    public CompletableFuture<AsyncResult<Optional<Slice>>> get(String name) {
      return unused();
    }

    @Override
    public CompletableFuture<AsyncResult<Collection<String>>> getKeys() {
      return unused();
    }

    @Override
    public CompletableFuture<Void> clear(String name) {
      return unused();
    }

    @Override
    public CompletableFuture<Void> clearAll() {
      return unused();
    }

    @Override
    public CompletableFuture<AsyncResult<Void>> timer(Duration duration, @Nullable String name) {
      return unused();
    }

    @Override
    public CompletableFuture<CallResult> call(
        Target target,
        Slice parameter,
        @Nullable String idempotencyKey,
        @Nullable Collection<Map.Entry<String, String>> headers) {
      return unused();
    }

    @Override
    public CompletableFuture<Awakeable> awakeable() {
      return CompletableFuture.completedFuture(
          new Awakeable("sign_1", new Result<>(new CompletableFuture<>(), this)));
    }

    @Override
    public CompletableFuture<Void> resolveAwakeable(String id, Slice payload) {
      return unused();
    }

    @Override
    public CompletableFuture<Void> rejectAwakeable(String id, TerminalException reason) {
      return unused();
    }

    @Override
    public CompletableFuture<AsyncResult<Slice>> promise(String key) {
      return unused();
    }

    @Override
    public CompletableFuture<AsyncResult<Output<Slice>>> peekPromise(String key) {
      return unused();
    }

    @Override
    public CompletableFuture<AsyncResult<Void>> resolvePromise(String key, Slice payload) {
      return unused();
    }

    @Override
    public CompletableFuture<AsyncResult<Void>> rejectPromise(
        String key, TerminalException reason) {
      return unused();
    }

    @Override
    public CompletableFuture<Void> cancelInvocation(String invocationId) {
      return unused();
    }

    @Override
    public CompletableFuture<AsyncResult<Slice>> attachInvocation(String invocationId) {
      return unused();
    }

    @Override
    public CompletableFuture<AsyncResult<Output<Slice>>> getInvocationOutput(String invocationId) {
      return unused();
    }

    @Override
    public void fail(Throwable cause) {
      unused();
    }

    @Override
    public AsyncResult<Void> createAllAsyncResult(List<AsyncResult<?>> children) {
      return unused();
    }
  }

  private record Result<T>(CompletableFuture<T> poll, HandlerContext ctx)
      implements AsyncResult<T> {
    @Override
    public <U> AsyncResult<U> map(
        ThrowingFunction<T, CompletableFuture<U>> success,
        ThrowingFunction<TerminalException, CompletableFuture<U>> failure) {
      throw new UnsupportedOperationException();
    }
  }
}
