package dev.switchboard.bench;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/// [TurnBenchmark], each of ours beside its peers. Those run on the caller's thread throughout, so
/// that it is the same to them what kind of thread that is.
final class Turns {
  private static final String VIRTUAL = Comparisons.VIRTUAL;
  // A turn is more code than a call, and takes longer to be compiled.
  private static final int WARM_UPS = 9;

  private final Comparisons compared;
  private final List<Row> rows = new ArrayList<>();

  private Turns(Comparisons compared) {
    this.compared = compared;
  }

  static List<Row> run(boolean quick) throws RunnerException {
    Comparisons compared =
        new Comparisons(
                TurnBenchmark.class, "inlineNew|isolatedNew|langChain4jIsolatedNew", WARM_UPS)
            .run(quick);
    Turns turns = new Turns(compared);
    turns.inNew("inline", "inlineNew");
    turns.inNew("inline, from a virtual thread", "inlineNew" + VIRTUAL);
    turns.inNew("isolated", "isolatedNew");
    turns.inNew("isolated, from a virtual thread", "isolatedNew" + VIRTUAL);
    turns.isolated("isolated", "");
    turns.isolated("isolated, from a virtual thread", VIRTUAL);
    turns.inLong("inline", "inlineLong");
    turns.inLong("isolated", "isolatedLong");
    return turns.rows;
  }

  private void inNew(String mode, String ours) {
    String what = "a turn in a new conversation, " + mode;
    row(what, ours, "LangChain4j", "langChain4jNew");
    row(what, ours, "LangChain4j without memory", "langChain4jForgetful");
    row(what, ours, "Spring AI", "springNew");
    row(what, ours, "Spring AI without memory", "springForgetful");
  }

  private void isolated(String mode, String callers) {
    row(
        "a turn in a new conversation, " + mode,
        "isolatedNew" + callers,
        "LangChain4j whose tool runs on a virtual thread of its own",
        "langChain4jIsolatedNew" + callers);
  }

  private void inLong(String mode, String ours) {
    String what = "a turn in a long conversation, " + mode;
    row(what, ours, "LangChain4j", "langChain4jLong");
    row(what, ours, "Spring AI", "springLong");
  }

  private void row(String what, String ours, String peer, String theirs) {
    rows.add(compared.row(what + " / " + peer, ours, theirs));
  }
}
