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

/// [CallBenchmark] in several rounds, so that each is compared with what ran in its own minute.
final class Calls {
  private static final String VIRTUAL = " @virtual";

  private static final Map<String, List<String>> COMPARISONS = comparisons();

  private static final Map<String, String> NAMES =
      Map.of(
          "inline", "inline",
          "inlineInConversation", "inline, in a conversation",
          "isolated", "isolated",
          "isolated @virtual", "isolated, from a virtual thread",
          "floorOnThread @virtual",
              "plain Jackson on another virtual thread, from a virtual thread",
          "floor", "plain Jackson",
          "floorOnThread", "plain Jackson on a virtual thread",
          "langChain4j", "LangChain4j",
          "springFunction", "Spring AI function",
          "springMethod", "Spring AI method");

  private final Map<String, List<Cost>> costs = new LinkedHashMap<>();

  private static Map<String, List<String>> comparisons() {
    Map<String, List<String>> peers = new LinkedHashMap<>();
    peers.put("inline", List.of("floor", "langChain4j", "springFunction", "springMethod"));
    peers.put("inlineInConversation", List.of("floor"));
    peers.put(
        "isolated",
        List.of("floor", "floorOnThread", "langChain4j", "springFunction", "springMethod"));
    peers.put("isolated" + VIRTUAL, List.of("floor", "floorOnThread" + VIRTUAL, "langChain4j"));
    return peers;
  }

  static List<Row> run(boolean quick) throws RunnerException {
    Calls calls = new Calls();
    int rounds = quick ? 1 : 3;
    for (int i = 0; i < rounds; i++) {
      calls.round(quick);
    }
    return calls.rows();
  }

  private void round(boolean quick) throws RunnerException {
    count(options(quick).include(CallBenchmark.class.getName()), "");
    count(
        options(quick)
            .include(CallBenchmark.class.getName() + ".(isolated|floorOnThread)$")
            .jvmArgsAppend("-Djmh.executor=VIRTUAL"),
        VIRTUAL);
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

  private static ChainedOptionsBuilder options(boolean quick) {
    return new OptionsBuilder()
        .addProfiler(CostProfiler.class)
        .forks(1)
        .jvmArgs(
            "-Xms512m",
            "-Xmx512m",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED")
        .warmupIterations(2)
        .warmupTime(TimeValue.milliseconds(quick ? 900 : 1500))
        .measurementIterations(quick ? 8 : 20)
        .measurementTime(TimeValue.milliseconds(200))
        .verbosity(VerboseMode.SILENT);
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    COMPARISONS.forEach((ours, peers) -> peers.forEach(peer -> rows.add(row(ours, peer))));
    return rows;
  }

  private Row row(String ours, String peer) {
    List<Cost> left = costs.getOrDefault(ours, List.of());
    List<Cost> right = costs.getOrDefault(peer, List.of());
    List<Cost> ratios = new ArrayList<>();
    for (int i = 0; i < left.size(); i++) {
      ratios.add(left.get(i).over(right.get(i)));
    }
    String what = "a call, %s / %s: ns, CPU ns, bytes".formatted(NAMES.get(ours), NAMES.get(peer));
    return Row.of(what, Cost.median(left), Cost.median(right), Cost.median(ratios));
  }
}
