package dev.switchboard.bench;

import dev.switchboard.json.Json;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.JsonNode;

/// What it costs to read the arguments of a usual call.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class JsonBenchmark {
  private static final String ARGUMENTS =
      """
      {"date":"2026-03-14","time":"19:30","partySize":4}\
      """;

  @Benchmark
  public JsonNode tree() {
    return Json.text(ARGUMENTS).tree();
  }

  @Benchmark
  public String digest() {
    return Json.text(ARGUMENTS).digest();
  }
}
