package dev.switchboard.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/// What one operation costs, or the ratio of two such costs.
///
/// @param wall nanoseconds that passed
/// @param cpu nanoseconds of all processors together
/// @param bytes allocated
record Cost(double wall, double cpu, double bytes) {
  /// The median of each measure.
  static Cost median(List<Cost> costs) {
    return new Cost(
        median(costs, Cost::wall), median(costs, Cost::cpu), median(costs, Cost::bytes));
  }

  private static double median(List<Cost> costs, ToDoubleFunction<Cost> measure) {
    return median(costs.stream().mapToDouble(measure).toArray());
  }

  /// The least of each measure.
  static Cost best(List<Cost> costs) {
    return new Cost(least(costs, Cost::wall), least(costs, Cost::cpu), least(costs, Cost::bytes));
  }

  private static double least(List<Cost> costs, ToDoubleFunction<Cost> measure) {
    return costs.stream().mapToDouble(measure).min().orElse(Double.NaN);
  }

  static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /// How many times the other.
  Cost over(Cost other) {
    return new Cost(wall / other.wall, cpu / other.cpu, bytes / other.bytes);
  }

  String figures() {
    return String.format(Locale.ROOT, "%,.0f / %,.0f / %,.0f", wall, cpu, bytes);
  }

  String ratios() {
    return String.format(Locale.ROOT, "%.2f / %.2f / %.2f", wall, cpu, bytes);
  }
}
