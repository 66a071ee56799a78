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

  /// The medians of both costs, and of their ratios.
  Row costs(String what, Callable<Cost> ours, Callable<Cost> peer) throws Exception {
    List<Cost> left = new ArrayList<>();
    List<Cost> right = new ArrayList<>();
    List<Cost> ratios = new ArrayList<>();
    for (int i = -warmUp; i < rounds; i++) {
      Cost one = ours.call();
      Cost other = peer.call();
      if (i >= 0) {
        left.add(one);
        right.add(other);
        ratios.add(one.over(other));
      }
    }
    return Row.of(
        what + ": ns, CPU ns, bytes", Cost.median(left), Cost.median(right), Cost.median(ratios));
  }
}
