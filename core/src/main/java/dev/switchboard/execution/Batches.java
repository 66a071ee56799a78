package dev.switchboard.execution;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.rule.RuleSet;
import dev.switchboard.rule.ToolChecks;
import dev.switchboard.tool.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// The calls of one round, cut where one has to wait for another.
final class Batches {
  private static final int MOST_PLATFORM_THREADS = 64;

  private Batches() {}

  /// Runs of calls that may overlap. Any other call is a batch of its own; one whose rules name a
  /// tool of the batch before it begins a new batch, and one that may end the loop ends its batch.
  static List<List<ToolCall>> of(List<ToolCall> calls, ToolRegistry tools, RuleSet rules) {
    List<List<ToolCall>> batches = new ArrayList<>();
    List<ToolCall> current = new ArrayList<>();
    for (ToolCall call : calls) {
      Tool tool = tools.find(call.name());
      ToolChecks checks = rules.checks(call.name());
      boolean overlaps = tool == null || tool.options().parallel();
      boolean waits = current.stream().anyMatch(before -> checks.dependsOn(before.name()));
      if ((!overlaps || waits) && !current.isEmpty()) {
        batches.add(current);
        current = new ArrayList<>();
      }
      current.add(call);
      if (!overlaps || checks.exitsLoop()) {
        batches.add(current);
        current = new ArrayList<>();
      }
    }
    if (!current.isEmpty()) {
      batches.add(current);
    }
    return batches;
  }

  /// The results of the work on each item, in order, each on a virtual thread of its own where
  /// there are several. An interrupt of the waiting thread is passed on to them.
  static <T, R> List<R> sideBySide(List<T> items, Function<T, R> work) {
    if (items.size() == 1) {
      return List.of(work.apply(items.getFirst()));
    }
    Thread.Builder builder = builder(items.size());
    List<CompletableFuture<R>> results = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (T item : items) {
      CompletableFuture<R> result = new CompletableFuture<>();
      results.add(result);
      threads.add(builder.start(() -> result.complete(work.apply(item))));
    }
    joinAll(threads);
    return results.stream().map(CompletableFuture::join).toList();
  }

  /// Virtual threads wait for free carriers, and handlers that compute for ever take those: the
  /// results of a round that a platform thread waits for must come in time all the same.
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
