package dev.switchboard.bench;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/// [TurnBenchmark], each of ours beside its peers.
final class Turns {
  private static final String MODE = "inlineNew|isolatedNew|langChain4jNew|springNew";

  private final Comparisons compared;
  private final List<Row> rows = new ArrayList<>();

  private Turns(Comparisons compared) {
    this.compared = compared;
  }

  static List<Row> run(boolean quick) throws RunnerException {
    Turns turns = new Turns(new Comparisons(TurnBenchmark.class, MODE).run(quick));
    for (String mode : List.of("inline", "isolated")) {
      turns.compare("a turn, new conversation, " + mode, mode + "New", "New", "");
      turns.compareForgetful("a turn, new conversation, " + mode, mode + "New");
    }
    for (String mode : List.of("inline", "isolated")) {
      turns.compare("a turn, long conversation, " + mode, mode + "Long", "Long", "");
    }
    for (String mode : List.of("inline", "isolated")) {
      turns.compare(
          "a turn, new conversation, " + mode + ", from a virtual thread",
          mode + "New",
          "New",
          Comparisons.VIRTUAL);
    }
    return turns.rows;
  }

  private void compare(String what, String ours, String conversation, String callers) {
    row(what + " / LangChain4j", ours + callers, "langChain4j" + conversation + callers);
    row(what + " / Spring AI", ours + callers, "spring" + conversation + callers);
  }

  private void compareForgetful(String what, String ours) {
    row(what + " / LangChain4j without memory", ours, "langChain4jForgetful");
    row(what + " / Spring AI without memory", ours, "springForgetful");
  }

  private void row(String what, String ours, String peer) {
    rows.add(compared.row(what, ours, peer));
  }
}
