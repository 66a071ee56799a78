package dev.switchboard.restate;

import dev.restate.common.Slice;
import dev.restate.sdk.common.TerminalException;
import dev.restate.sdk.endpoint.definition.AsyncResult;
import dev.restate.sdk.endpoint.definition.HandlerContext;
import dev.restate.sdk.endpoint.definition.HandlerContext.RunCompleter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// The journal that the engine keeps of one invocation: its entries are read first, and what comes
/// then is written behind them.
///
/// An entry is open as long as work goes on: so the engine is listened to meanwhile, and a cancel is
/// heard at once. All entries have the same name, since who reads them does not know what the code
/// was that wrote them. For one thread, but for what the engine calls.
final class EngineJournal {
  private static final String ENTRY = "effects";

  private final HandlerContext engine;
  private final Runnable onCancel;
  private CompletableFuture<Slice> entry = new CompletableFuture<>();
  private @Nullable RunCompleter open;

  /// @param onCancel is told that the invocation is to end; it is quick
  EngineJournal(HandlerContext engine, Runnable onCancel) {
    this.engine = engine;
    this.onCancel = onCancel;
  }

  /// The next entry; null where there is none, and from then on one is open.
  @Nullable Made next() {
    CompletableFuture<RunCompleter> begun = new CompletableFuture<>();
    AsyncResult<Slice> run = await(engine.submitRun(ENTRY, begun::complete));
    entry = new CompletableFuture<>();
    watch(run, entry);
    await(CompletableFuture.anyOf(begun, entry));
    open = entry.isDone() ? null : begun.getNow(null);
    return open == null ? Made.read(await(entry).toByteArray()) : null;
  }

  /// The result of a run, while a cancel may come before: that is not the end of it.
  private void watch(AsyncResult<Slice> run, CompletableFuture<Slice> result) {
    CompletableFuture<Integer> any = engine.createAnyAsyncResult(List.of(run)).poll();
    var unused =
        any.whenComplete((index, thrown) -> {
          Throwable cause = thrown instanceof CompletionException e ? e.getCause() : thrown;
          if (cause instanceof TerminalException e
              && e.getCode() == TerminalException.CANCELLED_CODE) {
            onCancel.run();
            watch(run, result);
          } else if (cause != null) {
            result.completeExceptionally(cause);
          } else {
            pass(run.poll(), result);
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

  /// Writes the entry that is open, and waits until the engine has it.
  void write(Made made) {
    RunCompleter completer = open;
    if (completer == null) {
      throw new IllegalStateException("no entry is open");
    }
    open = null;
    completer.proposeSuccess(Slice.wrap(made.bytes()));
    Slice unused = await(entry);
  }

  /// Waits for the engine; what it throws comes out here as it is, [dev.restate.sdk.common.AbortedExecutionException]
  /// too, which is how it ends the work of an invocation that goes on elsewhere.
  static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the engine was waited for", e);
    } catch (ExecutionException e) {
      throw unchecked(e.getCause());
    }
  }

  @SuppressWarnings("unchecked") // the engine's exceptions are not declared
  static <E extends Throwable> RuntimeException unchecked(@Nullable Throwable thrown) throws E {
    throw (E) (thrown == null ? new IllegalStateException() : thrown);
  }
}
