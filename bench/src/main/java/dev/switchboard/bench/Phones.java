package dev.switchboard.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/// What a live call costs, and how late its audio is, beside a bare relay of the same libraries.
/// Both answer in processes of their own, in turns; carrier and engine of all calls are simulated
/// in this one.
final class Phones {
  private static final int CALLS = Integer.getInteger("phone.calls", 50);
  private static final int STEP = 50;
  private static final double LATEST_MS = 20;

  private final Duration warm;
  private final Duration round;
  private final int rounds;

  /// What was measured of one kind in one round.
  private record Round(
      double cpu, double up, double upP99, double down, double downP99, double clear) {}

  private Phones(boolean quick) {
    int seconds = Integer.getInteger("phone.seconds", quick ? 20 : 120);
    rounds = quick ? 2 : 5;
    round = Duration.ofSeconds(seconds / rounds);
    warm = Duration.ofSeconds(quick ? 20 : 60);
  }

  static List<Row> run(boolean quick) throws IOException {
    return new Phones(quick).rows();
  }

  private List<Row> rows() throws IOException {
    PhoneLoad.takeCore();
    try (PhoneLoad relay = new PhoneLoad("relay", false);
        PhoneLoad ours = new PhoneLoad("ours", false);
        PhoneLoad strained = new PhoneLoad("ours", true)) {
      List<PhoneLoad> all = List.of(ours, relay, strained);
      for (PhoneLoad load : all) {
        warm(load);
      }
      List<List<Round>> measured = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      for (int i = 0; i < rounds; i++) {
        for (int j = 0; j < all.size(); j++) {
          measured.get(j).add(measure(all.get(j)));
        }
      }
      List<Row> rows = new ArrayList<>(beside(measured.get(0), measured.get(1)));
      rows.addAll(strained(measured.get(2), measured.get(0)));
      double heap = heap(ours);
      double bare = heap(relay);
      rows.add(Row.of("a call / bare relay: KB of heap", "%.0f", heap, bare, heap / bare));
      rows.add(most(ours, relay));
      return rows;
    }
  }

  private static List<Row> beside(List<Round> own, List<Round> bare) {
    String clear = CALLS + " calls: the caller speaks to clear, p99: ms";
    return List.of(
        row("processor time of each in a second: ms", "%.2f", Cost::median, own, bare, Round::cpu),
        row("calls of a core, by that", "%.0f", Cost::median, own, bare, one -> 1_000 / one.cpu),
        row("carrier to engine, p50: ms", "%.2f", Phones::least, own, bare, Round::up),
        row("carrier to engine, p99: ms", "%.1f", Phones::least, own, bare, Round::upP99),
        row("engine to carrier, p50: ms", "%.2f", Phones::least, own, bare, Round::down),
        row("engine to carrier, p99: ms", "%.1f", Phones::least, own, bare, Round::downP99),
        new Row(clear, "%.1f".formatted(of(Phones::least, own, Round::clear)), "-", "-"));
  }

  private static List<Row> strained(List<Round> with, List<Round> without) {
    return List.of(
        strained("processor time of each in a second", Cost::median, with, without, Round::cpu),
        strained("carrier to engine, p99", Phones::least, with, without, Round::upP99),
        strained("engine to carrier, p99", Phones::least, with, without, Round::downP99));
  }

  private static Row strained(
      String what,
      Choice choice,
      List<Round> with,
      List<Round> without,
      ToDoubleFunction<Round> measure) {
    String name = "%d calls beside %d slow webhooks and an open breaker / without: %s: ms";
    double strained = of(choice, with, measure);
    double plain = of(choice, without, measure);
    return Row.of(
        name.formatted(CALLS, 4 * CALLS, what), "%.1f", strained, plain, strained / plain);
  }

  private void warm(PhoneLoad load) throws IOException {
    load.calls(CALLS);
    double unused = load.measure(warm);
    load.hangUp();
  }

  private Round measure(PhoneLoad load) throws IOException {
    load.calls(CALLS);
    // The turns begin.
    double unused = load.measure(Duration.ofSeconds(6));
    double cpu = load.measure(round);
    PhoneFigures of = load.figures;
    Round measured =
        new Round(cpu, of.up(0.5), of.up(0.99), of.down(0.5), of.down(0.99), of.clear(0.99));
    System.err.printf(
        "%s: %d frames, %d pieces, %d clears, %d tools%n",
        measured, of.frames(), of.pieces(), of.clears(), of.calls());
    load.hangUp();
    return measured;
  }

  /// Other work on the machine can only add to it.
  private static double least(double... rounds) {
    return DoubleStream.of(rounds).min().orElse(Double.NaN);
  }

  /// What is taken of several rounds.
  private interface Choice {
    double of(double... rounds);
  }

  private static double of(Choice choice, List<Round> rounds, ToDoubleFunction<Round> measure) {
    return choice.of(rounds.stream().mapToDouble(measure).toArray());
  }

  private static Row row(
      String what,
      String form,
      Choice choice,
      List<Round> ours,
      List<Round> bare,
      ToDoubleFunction<Round> measure) {
    String name = CALLS + " calls / bare relay: " + what;
    double own = of(choice, ours, measure);
    double peer = of(choice, bare, measure);
    return Row.of(name, form, own, peer, own / peer);
  }

  private static double heap(PhoneLoad load) throws IOException {
    load.calls(CALLS);
    double unused = load.measure(Duration.ofSeconds(10));
    long with = load.heap();
    load.hangUp();
    PhoneLoad.pause(Duration.ofSeconds(5));
    return (with - load.heap()) / 1024.0 / CALLS;
  }

  /// More and more calls, of both in turns, until their audio is late in every round of a step.
  static Row most(PhoneLoad ours, PhoneLoad relay) throws IOException {
    int own = 0;
    int bare = 0;
    for (int calls = STEP; calls <= 1_000; calls += STEP) {
      for (int round = 0; round < 4; round++) {
        own = own == calls - STEP && isInTime(ours, calls) ? calls : own;
        bare = bare == calls - STEP && isInTime(relay, calls) ? calls : bare;
      }
    }
    String what = "calls at a time before p99 of their audio passes 20 ms / bare relay";
    return Row.of(what, "%.0f", own, bare, (double) own / bare);
  }

  private static boolean isInTime(PhoneLoad load, int calls) throws IOException {
    load.calls(calls);
    double unused = load.measure(Duration.ofSeconds(3));
    double cpu = load.measure(Duration.ofSeconds(8));
    double late = Math.max(load.figures.up(0.99), load.figures.down(0.99));
    System.err.printf(
        "%d calls of %s: p99 %.1f ms, %.2f ms of processor each%n", calls, load, late, cpu);
    load.hangUp();
    return late <= LATEST_MS;
  }
}
