package dev.switchboard.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// Two measurements taken in turn, so that each is compared with what was measured right beside it.
///
/// @param form of a figure in the table
/// @param warmUp rounds that do not count
/// @param rounds rounds that do
record Duel(String form, int warmUp, int rounds) {
  /// The medians of both, and of their ratios.
  Row row(String what, Callable<Double> ours, Callable<Double> peer) throws Exception {
    double[] left = new double[rounds];
    double[] right = new double[rounds];
    double[] ratios = new double[rounds];
    for (int i = -warmUp; i < rounds; i++) {
      double one = ours.call();
      double other = peer.call();
      if (i >= 0) {
        left[i] = one;
        right[i] = other;
        ratios[i] = one / other;
      }
    }
    return Row.of(what, form, Cost.median(left), Cost.median(right), Cost.median(ratios));
  }

  /// The means of both, and what ours is of the peer's: for figures that jump between few values,
  /// such as those of threads that share a processor or not, which many short rounds meet evenly.
  Row means(String what, Callable<Double> ours, Callable<Double> peer) throws Exception {
    double left = 0;
    double right = 0;
    for (int i = -warmUp; i < rounds; i++) {
      double one = ours.call();
      double other = peer.call();
      left += i < 0 ? 0 : one / rounds;
      right += i < 0 ? 0 : other / rounds;
    }
    return Row.of(what, form, left, right, left / right);
  }

  /// The best of both, since others of the machine's users can only make one worse.
  Row best(String what, Callable<Cost> ours, Callable<Cost> peer) throws Exception {
    List<Cost> left = new ArrayList<>();
    List<Cost> right = new ArrayList<>();
    for (int i = -warmUp; i < rounds; i++) {
      Cost one = ours.call();
      Cost other = peer.call();
      if (i >= 0) {
        left.add(one);
        right.add(other);
      }
    }
    Cost one = Cost.best(left);
    Cost other = Cost.best(right);
    return Row.of(what + ": ns, CPU ns, bytes", one, other, one.over(other));
  }
}
