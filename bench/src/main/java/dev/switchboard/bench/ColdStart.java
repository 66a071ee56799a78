package dev.switchboard.bench;

import java.nio.file.Path;
import java.util.List;

/// The time from the start of `switchboard exec` to its first result, beside that of a JVM which
/// only prints a line.
final class ColdStart {
  private static final String TOOLS =
      """
      name = "Benchmark"

      [[tools]]
      name = "order"
      description = "Places an order"
      """;

  /// The empty JVM.
  static final class Hello {
    private Hello() {}

    public static void main(String[] args) {
      System.out.println("{}");
    }
  }

  private final List<String> exec;
  private final List<String> empty;

  private ColdStart() {
    exec = List.of("./switchboard", "exec");
    empty =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            "bench/target/quick/classes",
            Hello.class.getName());
  }

  static List<Row> run(boolean quick) throws Exception {
    return List.of();
  }
}
