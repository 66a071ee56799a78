package dev.switchboard.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/// [CallBenchmark], each of ours beside its peers.
final class Calls {
  private static final String VIRTUAL = Comparisons.VIRTUAL;

  private static final Map<String, List<String>> PEERS = peers();

  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("inline", "inline"),
          Map.entry("inlineInConversation", "inline, in conversations of 100"),
          Map.entry("inlineInEndless", "inline, in a conversation without end"),
          Map.entry("isolated", "isolated"),
          Map.entry("isolated @virtual", "isolated, from a virtual thread"),
          Map.entry(
              "floorOnThread @virtual",
              "plain Jackson on another virtual thread, from a virtual thread"),
          Map.entry("floor", "plain Jackson"),
          Map.entry("floorOfMany", "plain Jackson of as many arguments"),
          Map.entry("floorOnThread", "plain Jackson on a virtual thread"),
          Map.entry("langChain4j", "LangChain4j"),
          Map.entry("springFunction", "Spring AI function"),
          Map.entry("springMethod", "Spring AI method"));

  private Calls() {}

  private static Map<String, List<String>> peers() {
    Map<String, List<String>> peers = new LinkedHashMap<>();
    peers.put("inline", List.of("floor", "langChain4j", "springFunction", "springMethod"));
    peers.put("inlineInConversation", List.of("floor", "floorOfMany"));
    peers.put("inlineInEndless", List.of("floor", "floorOfMany"));
    peers.put(
        "isolated",
        List.of("floor", "floorOnThread", "langChain4j", "springFunction", "springMethod"));
    peers.put("isolated" + VIRTUAL, List.of("floor", "floorOnThread" + VIRTUAL, "langChain4j"));
    return peers;
  }

  static List<Row> run(boolean quick) throws RunnerException {
    Comparisons compared =
        new Comparisons(CallBenchmark.class, "isolated|floorOnThread", 2).run(quick);
    List<Row> rows = new ArrayList<>();
    PEERS.forEach((ours, all) ->
        all.forEach(peer -> {
          String what = "a call, %s / %s".formatted(NAMES.get(ours), NAMES.get(peer));
          rows.add(compared.row(what, ours, peer));
        }));
    return rows;
  }
}
