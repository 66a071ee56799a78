package dev.switchboard.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// What the trials of the profile `load` share: their size, their chance, their figures.
public final class Load {
  private static final double SIZE =
      Double.parseDouble(System.getProperty("switchboard.load", "1"));
  private static final long SEED = Long.getLong("switchboard.seed", 20261122);

  private Load() {}

  /// So many, of a trial that is not whole the same part.
  public static int of(int whole) {
    return Math.max(1, (int) Math.ceil(whole * SIZE));
  }

  /// Chance that is the same in every run of that seed.
  public static RandomGenerator random(int stream) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(SEED + stream);
  }

  /// Prints what was found.
  @SuppressWarnings("AnnotateFormatMethod") // of a library that the tests do not have
  public static void tell(String figures, Object... values) {
    System.out.printf("load %s, seed %d: %s%n", SIZE, SEED, figures.formatted(values));
  }

  /// Does the work of each number at once, each on a thread of its own, every other one virtual,
  /// and hands back what came of it.
  public static <T> List<T> sideBySide(int threads, IntFunction<T> work)
      throws InterruptedException, ExecutionException {
    return sideBySide(threads, 2, work);
  }

  /// The same with threads of the system alone, which no handler that computes for ever holds up.
  public static <T> List<T> onSystemThreads(int threads, IntFunction<T> work)
      throws InterruptedException, ExecutionException {
    return sideBySide(threads, Integer.MAX_VALUE, work);
  }

  private static <T> List<T> sideBySide(int threads, int virtual, IntFunction<T> work)
      throws InterruptedException, ExecutionException {
    List<FutureTask<T>> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      FutureTask<T> task = new FutureTask<>(() -> work.apply(number));
      all.add(task);
      Thread unusedStarted =
          (i + 1) % virtual == 0
              ? Thread.ofVirtual().start(task)
              : Thread.ofPlatform().daemon().start(task);
    }
    List<T> came = new ArrayList<>();
    for (FutureTask<T> one : all) {
      came.add(one.get());
    }
    return came;
  }

  /// Does it after so many microseconds, on another thread.
  public static void after(int micros, Runnable action) {
    CompletableFuture.delayedExecutor(micros, TimeUnit.MICROSECONDS).execute(action);
  }

  /// The memory that is used, in bytes, once what nobody needs is gone.
  public static long heap() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  /// Megabytes, for a figure.
  public static double mb(long bytes) {
    return bytes / 1e6;
  }

  /// Seconds since that moment, for a figure.
  public static double since(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  /// Milliseconds of a length in nanoseconds.
  public static double ms(long nanos) {
    return nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
  }
}
