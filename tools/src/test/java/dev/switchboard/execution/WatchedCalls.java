package dev.switchboard.execution;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/// What tests of attempts on the caller's own thread share: handlers that end when they are
/// cancelled, and threads that call them.
class WatchedCalls extends ManualCalls {
  final List<Thread> threads = new CopyOnWriteArrayList<>();
  final List<Integer> attempts = new CopyOnWriteArrayList<>();
  final AtomicInteger dropped = new AtomicInteger();
  final CompletableFuture<Object> answer = new CompletableFuture<>();

  /// Waits for the answer until it is dropped, as a request does.
  class Waiting implements ToolHandler {
    @Override
    public Object handle(ToolHandler.Arguments arguments, ToolContext context) throws Exception {
      threads.add(Thread.currentThread());
      CompletableFuture<Object> end = answer.copy();
      context.onCancel(() -> {
        dropped.incrementAndGet();
        end.completeExceptionally(new IOException("dropped"));
      });
      attempts.add(context.attempt());
      return await(end);
    }

    Object await(CompletableFuture<Object> end) throws Exception {
      return end.get();
    }

    @Override
    public boolean endsWhenCancelled() {
      return true;
    }
  }

  /// As a socket of a platform thread does, it takes no notice of interrupts, and leaves the flag.
  final class Deaf extends Waiting {
    @Override
    Object await(CompletableFuture<Object> end) throws Exception {
      // To wait in it would take the flag meanwhile.
      while (!end.isDone()) {
        Thread.onSpinWait();
      }
      try {
        return end.join();
      } catch (CompletionException e) {
        throw (Exception) end.exceptionNow();
      }
    }
  }

  /// A thread that makes one call.
  final class Host {
    final CompletableFuture<ToolResult> result = new CompletableFuture<>();
    final AtomicBoolean flag = new AtomicBoolean();
    final Thread thread;

    Host(Thread.Builder builder, ToolExecutor executor, String tool) {
      thread =
          builder.start(() -> {
            ToolResult settled = executor.execute(call(tool), session);
            flag.set(Thread.currentThread().isInterrupted());
            result.complete(settled);
          });
    }

    ToolResult settled() {
      return ManualCalls.settled(result);
    }
  }

  Host host(Tool tool) {
    return new Host(Thread.ofVirtual(), executor(tool), tool.name());
  }

  Host platformHost(Tool tool) {
    return new Host(Thread.ofPlatform().daemon(), executor(tool), tool.name());
  }

  void awaitAttempts(int count) {
    Awaitility.await().until(() -> attempts.size() >= count);
  }

  static Tool.DynamicBuilder reader() {
    return Tool.dynamic("get_it").retry(RetryPolicy.NONE);
  }

  static Tool.DynamicBuilder finisher() {
    return Tool.dynamic("book_it");
  }
}
