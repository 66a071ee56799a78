package dev.switchboard.restate;

import dev.restate.common.Slice;
import dev.restate.sdk.common.AbortedExecutionException;
import dev.restate.sdk.common.TerminalException;
import dev.restate.sdk.endpoint.definition.AsyncResult;
import dev.restate.sdk.endpoint.definition.HandlerContext;
import dev.restate.sdk.endpoint.definition.HandlerContext.RunCompleter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// The engine's journal of one invocation: existing entries are read first, new ones are appended.
///
/// All entries have the same name, since a reader does not know which version of the code wrote
/// them. For one thread, except for the engine's callbacks.
final class EngineJournal {
  private static final String ENTRY = "effects";

  private final HandlerContext engine;
  private final Runnable onCancel;
  private final CompletableFuture<Slice> closed = new CompletableFuture<>();
  private CompletableFuture<Slice> entry = new CompletableFuture<>();
  private @Nullable RunCompleter open;

  /// @param onCancel called when the invocation is cancelled; must be quick
  EngineJournal(HandlerContext engine, Runnable onCancel) {
    this.engine = engine;
    this.onCancel = onCancel;
  }

  /// The next entry; null if there is none, and then a new one may be written.
  @Nullable JournalEntry next() {
    CompletableFuture<RunCompleter> begun = new CompletableFuture<>();
    AsyncResult<Slice> run = await(engine.submitRun(ENTRY, begun::complete));
    entry = new CompletableFuture<>();
    watch(run, entry);
    await(CompletableFuture.anyOf(begun, entry, closed));
    open = entry.isDone() ? null : begun.getNow(null);
    return open == null ? JournalEntry.read(await(entry).toByteArray()) : null;
  }

  /// Passes on the result of one future; a cancel that arrives first does not end it.
  private void watch(AsyncResult<Slice> one, CompletableFuture<Slice> result) {
    CompletableFuture<Integer> any = engine.createAnyAsyncResult(List.of(one)).poll();
    var unused =
        any.whenComplete((index, thrown) -> {
          Throwable cause = thrown instanceof CompletionException e ? e.getCause() : thrown;
          if (cause instanceof TerminalException e
              && e.getCode() == TerminalException.CANCELLED_CODE) {
            onCancel.run();
            watch(one, result);
          } else if (cause != null) {
            result.completeExceptionally(cause);
          } else {
            pass(one.poll(), result);
          }
        });
  }

  private static void pass(CompletableFuture<Slice> from, CompletableFuture<Slice> to) {
    var unused =
        from.whenComplete((slice, thrown) -> {
          if (thrown == null) {
            to.complete(slice);
          } else {
            to.completeExceptionally(thrown);
          }
        });
  }

  /// Listens to the engine from now on, so that a cancellation arrives while work continues: the
  /// engine reports it only to a waiting caller.
  void listen() {
    watch(await(engine.awakeable()).asyncResult(), new CompletableFuture<>());
  }

  /// Writes an entry, and waits until the engine has it.
  void write(JournalEntry written) {
    if (open == null && next() != null) {
      throw new IllegalStateException("the engine's journal continues after its end");
    }
    RunCompleter completer = Objects.requireNonNull(open);
    open = null;
    completer.proposeSuccess(Slice.wrap(written.bytes()));
    Object unused = await(CompletableFuture.anyOf(entry, closed));
  }

  /// Releases all waiting callers, because the engine is gone or has ended the invocation. After a
  /// lost connection the engine's own future may never complete. May be called from any thread.
  void close() {
    closed.completeExceptionally(AbortedExecutionException.INSTANCE);
  }

  /// Waits for the engine. Its exceptions are thrown unchanged, including
  /// [dev.restate.sdk.common.AbortedExecutionException], by which it ends an invocation that
  /// continues elsewhere.
  static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the engine", e);
    } catch (ExecutionException e) {
      throw unchecked(e.getCause());
    }
  }

  @SuppressWarnings("unchecked") // the engine's exceptions are not declared
  static <E extends Throwable> RuntimeException unchecked(@Nullable Throwable thrown) throws E {
    throw (E) (thrown == null ? new IllegalStateException() : thrown);
  }
}
