package dev.switchboard.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/// The methods of a benchmark in several rounds, so that each is compared with what ran in its own
/// minute.
final class Comparisons {
  /// What the name of a method ends in that was called from virtual threads.
  static final String VIRTUAL = " @virtual";

  private final Class<?> benchmark;
  private final String virtual;
  private final int warmUps;
  private final Map<String, List<Cost>> costs = new LinkedHashMap<>();

  /// @param virtual the methods that are called from virtual threads too, `one|other`
  /// @param warmUps iterations that do not count
  Comparisons(Class<?> benchmark, String virtual, int warmUps) {
    this.benchmark = benchmark;
    this.virtual = virtual;
    this.warmUps = warmUps;
  }

  Comparisons run(boolean quick) throws RunnerException {
    int rounds = quick ? 1 : 3;
    for (int i = 0; i < rounds; i++) {
      count(options(quick).include(benchmark.getName() + "\\."), "");
      count(
          options(quick)
              .include(benchmark.getName() + ".(" + virtual + ")$")
              .jvmArgsAppend("-Djmh.executor=VIRTUAL"),
          VIRTUAL);
    }
    return this;
  }

  private void count(ChainedOptionsBuilder options, String callers) throws RunnerException {
    for (RunResult result : new Runner(options.build()).run()) {
      String label = result.getParams().getBenchmark();
      Cost cost =
          new Cost(
              counted(result, CostProfiler.WALL),
              counted(result, CostProfiler.CPU),
              counted(result, CostProfiler.BYTES));
      costs
          .computeIfAbsent(
              label.substring(label.lastIndexOf('.') + 1) + callers, any -> new ArrayList<>())
          .add(cost);
    }
  }

  private static double counted(RunResult result, String measure) {
    return result.getSecondaryResults().get(measure).getScore();
  }

  private ChainedOptionsBuilder options(boolean quick) {
    return new OptionsBuilder()
        .addProfiler(CostProfiler.class)
        .forks(1)
        .jvmArgs(
            "-Xms512m",
            "-Xmx512m",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED")
        .warmupIterations(warmUps)
        .warmupTime(TimeValue.milliseconds(quick ? 900 : 1500))
        .measurementIterations(quick ? 8 : 20)
        .measurementTime(TimeValue.milliseconds(200))
        .verbosity(VerboseMode.SILENT);
  }

  /// The medians of two methods, and of their ratios.
  ///
  /// @param what was done
  Row row(String what, String ours, String peer) {
    List<Cost> left = costs.getOrDefault(ours, List.of());
    List<Cost> right = costs.getOrDefault(peer, List.of());
    List<Cost> ratios = new ArrayList<>();
    for (int i = 0; i < left.size(); i++) {
      ratios.add(left.get(i).over(right.get(i)));
    }
    return Row.of(
        what + ": ns, CPU ns, bytes", Cost.median(left), Cost.median(right), Cost.median(ratios));
  }
}
