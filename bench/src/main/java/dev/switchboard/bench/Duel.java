package dev.switchboard.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;

/// Two measurements taken in turn, so that each is compared with what was measured right beside it.
///
/// @param form of a figure in the table
/// @param warmUp rounds that do not count
/// @param rounds rounds that do
record Duel(String form, int warmUp, int rounds) {
  /// What both were in a round.
  private record Round<T>(T ours, T peer) {}

  /// The medians of both, and of their ratios.
  Row row(String what, Callable<Double> ours, Callable<Double> peer) throws Exception {
    List<Round<Double>> measured = inTurn(ours, peer);
    double ratio = median(measured, round -> round.ours() / round.peer());
    return Row.of(what, form, median(measured, Round::ours), median(measured, Round::peer), ratio);
  }

  private static double median(
      List<Round<Double>> measured, ToDoubleFunction<Round<Double>> figure) {
    return Cost.median(measured.stream().mapToDouble(figure).toArray());
  }

  /// The means of both, and what ours is of the peer's: for figures that jump between few values,
  /// such as those of threads that share a processor or not, which many short rounds meet evenly.
  Row means(String what, Callable<Double> ours, Callable<Double> peer) throws Exception {
    List<Round<Double>> measured = inTurn(ours, peer);
    double one = mean(measured, Round::ours);
    double other = mean(measured, Round::peer);
    return Row.of(what, form, one, other, one / other);
  }

  private static double mean(List<Round<Double>> measured, ToDoubleFunction<Round<Double>> figure) {
    return measured.stream().mapToDouble(figure).average().orElseThrow();
  }

  /// The best of both, since others of the machine's users can only make one worse.
  Row best(String what, Callable<Cost> ours, Callable<Cost> peer) throws Exception {
    List<Round<Cost>> measured = inTurn(ours, peer);
    Cost one = Cost.best(measured.stream().map(Round::ours).toList());
    Cost other = Cost.best(measured.stream().map(Round::peer).toList());
    return Row.of(what + ": ns, CPU ns, bytes", one, other, one.over(other));
  }

  private <T> List<Round<T>> inTurn(Callable<T> ours, Callable<T> peer) throws Exception {
    List<Round<T>> measured = new ArrayList<>();
    for (int i = -warmUp; i < rounds; i++) {
      Round<T> round = new Round<>(ours.call(), peer.call());
      if (i >= 0) {
        measured.add(round);
      }
    }
    return measured;
  }
}
