package dev.switchboard.bench;

import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/// Has JMH count the process's [Cost] of an operation, whatever threads it runs on: that of the
/// best iteration, since others of the machine's users can only make one worse.
public final class CostProfiler implements InternalProfiler {
  static final String WALL = "wall";
  static final String CPU = "cpu";
  static final String BYTES = "bytes";

  private Meter before = Meter.now();

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = Meter.now();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    Cost cost = before.since(result.getMetadata().getAllOps());
    return List.of(
        new ScalarResult(WALL, cost.wall(), "ns/op", AggregationPolicy.MIN),
        new ScalarResult(CPU, cost.cpu(), "ns/op", AggregationPolicy.MIN),
        new ScalarResult(BYTES, cost.bytes(), "B/op", AggregationPolicy.MIN));
  }

  @Override
  public String getDescription() {
    return "time, processor time and bytes of the whole process";
  }
}
