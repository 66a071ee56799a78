package dev.switchboard.bench;

import dev.switchboard.bench.Shop.Order;
import dev.switchboard.bench.Shop.Receipt;
import dev.switchboard.check.Checked;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.json.JsonMapper;

/// Where the time of a call goes: the two big stages, each beside plain Jackson's.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 10, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@State(Scope.Benchmark)
public class StageBenchmark {
  private final JsonMapper plain = new JsonMapper();
  private final Tool tool =
      Tool.typed(Contenders.NAME, Order.class).handler(order -> order.customer());
  private String arguments = Shop.ARGUMENTS;
  private Receipt receipt = new Shop().order(plain.readValue(Shop.ARGUMENTS, Order.class));

  @Benchmark
  public Checked check() {
    return tool.check(Json.text(arguments));
  }

  @Benchmark
  public Order read() {
    return plain.readValue(arguments, Order.class);
  }

  @Benchmark
  public String answer() {
    return Json.of(receipt).text();
  }

  @Benchmark
  public String write() {
    return plain.writeValueAsString(receipt);
  }
}
