package dev.switchboard.bench;

import dev.switchboard.bench.Shop.Order;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/// Ten thousand calls at once whose handlers block for a second, beside as many plain virtual
/// threads that read, block and write.
final class Blocked {
  private static final int CALLS = 10_000;

  private final Shop shop = new Shop();
  private final ToolExecutor executor =
      ToolExecutor.of(
          Tool.typed("order", Order.class)
              .handler(order -> {
                block();
                return shop.order(order);
              }));

  /// @param millis until all were answered
  /// @param peak megabytes of heap in use at the most, garbage included
  private record Load(double millis, double peak) {}

  static List<Row> run(boolean quick) throws InterruptedException {
    Blocked blocked = new Blocked();
    List<Load> ours = new ArrayList<>();
    List<Load> plain = new ArrayList<>();
    for (int i = 0; i < (quick ? 3 : 6); i++) {
      Load call = load(blocked::call);
      Load thread = load(blocked::plain);
      if (i > 0) {
        ours.add(call);
        plain.add(thread);
      }
    }
    return List.of(
        row("10,000 calls that block 1 s / plain virtual threads: ms", ours, plain, Load::millis),
        row("the same: peak of the heap, MB", ours, plain, Load::peak));
  }

  private static Row row(
      String what, List<Load> ours, List<Load> plain, ToDoubleFunction<Load> measure) {
    double left = Cost.median(ours.stream().mapToDouble(measure).toArray());
    double right = Cost.median(plain.stream().mapToDouble(measure).toArray());
    return Row.of(what, "%,.0f", left, right, left / right);
  }

  private static Load load(Runnable once) throws InterruptedException {
    System.gc();
    CountDownLatch open = new CountDownLatch(CALLS);
    long start = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      Thread.ofVirtual()
          .start(() -> {
            once.run();
            open.countDown();
          });
    }
    long peak = 0;
    do {
      peak = Math.max(peak, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    } while (!open.await(5, TimeUnit.MILLISECONDS));
    return new Load((System.nanoTime() - start) / 1e6, peak / 1e6);
  }

  private void call() {
    if (!executor.execute(ToolCall.of("order", Shop.ARGUMENTS)).success()) {
      throw new IllegalStateException("the call failed");
    }
  }

  private void plain() {
    block();
    shop.orderPlainly(Shop.ARGUMENTS);
  }

  private static void block() {
    Time.SYSTEM.pause(new Time.Signal(), Duration.ofSeconds(1));
  }
}
