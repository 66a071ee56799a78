package dev.switchboard.bench;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.stream.DoubleStream;

/// Two measurements taken in turn, so that each is compared with what was measured right beside it.
///
/// @param form of a figure in the table
/// @param warmUp rounds that do not count
/// @param rounds rounds that do
record Duel(String form, int warmUp, int rounds) {
  /// The medians of both, and of their ratios.
  Row row(String what, Callable<Double> ours, Callable<Double> peer) throws Exception {
    DoubleStream.Builder left = DoubleStream.builder();
    DoubleStream.Builder right = DoubleStream.builder();
    DoubleStream.Builder ratios = DoubleStream.builder();
    inTurn(
        ours,
        peer,
        (one, other) -> {
          left.add(one);
          right.add(other);
          ratios.add(one / other);
        });
    return Row.of(what, form, median(left), median(right), median(ratios));
  }

  private static double median(DoubleStream.Builder figures) {
    return Cost.median(figures.build().toArray());
  }

  /// The means of both, and what ours is of the peer's: for figures that jump between few values,
  /// such as those of threads that share a processor or not, which many short rounds meet evenly.
  Row means(String what, Callable<Double> ours, Callable<Double> peer) throws Exception {
    DoubleSummaryStatistics left = new DoubleSummaryStatistics();
    DoubleSummaryStatistics right = new DoubleSummaryStatistics();
    inTurn(
        ours,
        peer,
        (one, other) -> {
          left.accept(one);
          right.accept(other);
        });
    double one = left.getAverage();
    double other = right.getAverage();
    return Row.of(what, form, one, other, one / other);
  }

  /// The best of both, since others of the machine's users can only make one worse.
  Row best(String what, Callable<Cost> ours, Callable<Cost> peer) throws Exception {
    List<Cost> left = new ArrayList<>();
    List<Cost> right = new ArrayList<>();
    inTurn(
        ours,
        peer,
        (one, other) -> {
          left.add(one);
          right.add(other);
        });
    Cost one = Cost.best(left);
    Cost other = Cost.best(right);
    return Row.of(what + ": ns, CPU ns, bytes", one, other, one.over(other));
  }

  private <T> void inTurn(Callable<T> ours, Callable<T> peer, BiConsumer<T, T> each)
      throws Exception {
    for (int i = -warmUp; i < rounds; i++) {
      T one = ours.call();
      T other = peer.call();
      if (i >= 0) {
        each.accept(one, other);
      }
    }
  }
}
