package dev.switchboard.execution;

import dev.switchboard.handler.Tool;
import dev.switchboard.ruling.RuleSet;
import dev.switchboard.ruling.ToolChecks;
import dev.switchboard.tool.ToolCall;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// The calls of one round, divided where one has to wait for another.
final class Batches {
  private static final int MOST_PLATFORM_THREADS = 64;

  private Batches() {}

  /// Batches of calls that may overlap. Any other call is a separate batch. A call whose rules name
  /// a tool of the current batch, or that repeats it too often, begins a new one; a call that may
  /// end the loop ends its batch.
  ///
  /// @param repeats how often an equal call has succeeded before
  static List<List<ToolCall>> of(
      List<ToolCall> calls,
      Function<String, @Nullable Tool> tools,
      RuleSet rules,
      ToIntFunction<ToolCall> repeats) {
    if (calls.size() == 1) {
      return List.of(calls);
    }
    List<List<ToolCall>> batches = new ArrayList<>();
    List<ToolCall> current = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (ToolCall call : calls) {
      Tool tool = tools.apply(call.name());
      ToolChecks checks = rules.checks(call.name());
      boolean overlaps = tool == null || tool.options().parallel();
      int limit = tool != null && names.contains(call.name()) ? tool.options().repeatLimit() : 0;
      boolean waits =
          !overlaps
              || checks.dependsOn(names)
              || limit > 0 && isOneTooMany(call, current, limit, repeats);
      if (waits || current.isEmpty()) {
        current = new ArrayList<>();
        batches.add(current);
        names.clear();
      }
      current.add(call);
      names.add(call.name());
      if (!overlaps || checks.exitsLoop()) {
        current = new ArrayList<>();
        names.clear();
      }
    }
    return batches;
  }

  /// Whether a call is refused as a repetition once the equal ones of its batch have succeeded.
  private static boolean isOneTooMany(
      ToolCall call, List<ToolCall> batch, int limit, ToIntFunction<ToolCall> repeats) {
    long equal = batch.stream().filter(call::asksTheSameAs).count();
    return equal > 0 && equal + repeats.applyAsInt(call) >= limit;
  }

  /// The results of the work on each item, in order. Work that takes no time runs first, on the
  /// caller's thread; several others run on separate threads. An interrupt of the waiting thread is
  /// passed on to them.
  static <T, R> List<R> sideBySide(List<T> items, Predicate<T> takesTime, Function<T, R> work) {
    return sideBySide(items, takesTime, work, builder(items.size())::start);
  }

  /// @param start of a thread
  static <T, R> List<R> sideBySide(
      List<T> items,
      Predicate<T> takesTime,
      Function<T, R> work,
      Function<Runnable, Thread> start) {
    if (items.size() == 1) {
      return List.of(work.apply(items.getFirst()));
    }
    List<CompletableFuture<R>> results = new ArrayList<>(items.size());
    List<Runnable> open = new ArrayList<>();
    for (T item : items) {
      CompletableFuture<R> result = new CompletableFuture<>();
      results.add(result);
      if (takesTime.test(item)) {
        open.add(() -> complete(result, item, work));
      } else {
        complete(result, item, work);
      }
    }
    runAll(open, start);
    return results.stream().map(Batches::result).toList();
  }

  /// Rethrows unchanged what another thread threw.
  private static <R> R result(CompletableFuture<R> done) {
    try {
      return done.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case null, default -> throw e;
      }
    }
  }

  private static <T, R> void complete(CompletableFuture<R> result, T item, Function<T, R> work) {
    try {
      result.complete(work.apply(item));
    } catch (Throwable thrown) {
      // The waiting thread must not wait forever.
      result.completeExceptionally(thrown);
    }
  }

  private static void runAll(List<Runnable> work, Function<Runnable, Thread> start) {
    if (work.size() == 1) {
      work.getFirst().run();
      return;
    }
    List<Thread> threads = new ArrayList<>(work.size());
    for (Runnable task : work) {
      Thread thread = started(task, start);
      if (thread == null) {
        task.run();
      } else {
        threads.add(thread);
      }
    }
    joinAll(threads);
  }

  /// A thread for this work, or null if the machine has no more threads.
  private static @Nullable Thread started(Runnable work, Function<Runnable, Thread> start) {
    try {
      return start.apply(work);
    } catch (OutOfMemoryError none) {
      Broken.calls().log(Level.DEBUG, "no thread could be made for a call", none);
      return null;
    }
  }

  /// Virtual threads wait for free carriers, which handlers that compute may occupy; the results of
  /// a round that a platform thread waits for must come in time.
  private static Thread.Builder builder(int count) {
    return Thread.currentThread().isVirtual() || count > MOST_PLATFORM_THREADS
        ? Thread.ofVirtual().name("call")
        : Thread.ofPlatform().daemon().name("call");
  }

  private static void joinAll(List<Thread> threads) {
    boolean interrupted = false;
    for (int i = 0; i < threads.size(); ) {
      try {
        threads.get(i).join();
        i++;
      } catch (InterruptedException e) {
        interrupted = true;
        threads.forEach(Thread::interrupt);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
