package dev.switchboard.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The time from the start of `switchboard exec` to its first result, of a webhook on this machine,
/// beside that of a JVM which only prints a line; and the processor time of commands that open no
/// network.
final class ColdStart {
  private static final String AGENT =
      """
      [agent]
      name = "Benchmark"

      [[tools]]
      name = "order_status"
      webhook_url = "http://%1$s/orders/status"
      parameters = { type = "object", properties = { order_id = { type = "string" } } }

      [network]
      allow = ["%1$s"]
      """;
  private static final String CALL =
      "{\"id\":\"c1\",\"name\":\"order_status\",\"arguments\":{\"order_id\":\"A-1042\"}}\n";

  private static final List<String> EMPTY =
      List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-cp",
          "bench/target/quick/classes",
          Hello.class.getName());

  private final Path agent;

  private ColdStart(Path agent) {
    this.agent = agent;
  }

  /// The JVM that only prints a line.
  static final class Hello {
    private Hello() {}

    public static void main(String[] args) {
      System.out.println("tool_result");
    }
  }

  static List<Row> run(boolean quick) throws Exception {
    Path agent = Files.createTempFile("benchmark", ".toml");
    try (LoopbackServer server = new LoopbackServer()) {
      Files.writeString(agent, AGENT.formatted(server.hostAndPort()));
      ColdStart start = new ColdStart(agent);
      Duel duel = new Duel("%,.0f", 1, quick ? 5 : 21);
      return List.of(
          duel.row(
              "exec's first result from a cold start / an empty JVM: ms",
              start::exec,
              start::empty),
          start.command(duel, "--help"),
          start.command(duel, "validate", agent.toString()),
          start.command(duel, "tool", "list", agent.toString()));
    } finally {
      Files.delete(agent);
    }
  }

  private double exec() throws IOException, InterruptedException {
    return millis("./switchboard", "exec", agent.toString());
  }

  private double empty() throws IOException, InterruptedException {
    return millis(EMPTY.toArray(String[]::new));
  }

  private Row command(Duel duel, String... words) throws Exception {
    List<String> ours = new ArrayList<>(List.of("./switchboard"));
    ours.addAll(List.of(words));
    String name = words.length == 3 ? words[0] + " " + words[1] : words[0];
    return duel.row(
        name + " / an empty JVM: ms of processor time",
        () -> processorMillis(ours),
        () -> processorMillis(EMPTY));
  }

  /// The processor time of a command, as the shell that runs it sums it up.
  private static double processorMillis(List<String> command)
      throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(List.of("sh", "-c", "\"$@\" >/dev/null 2>&1 </dev/null && times", "sh"));
    words.addAll(command);
    Process process = new ProcessBuilder(words).start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      // The first line is the shell's own.
      List<String> lines = out.lines().toList();
      if (process.waitFor() != 0 || lines.size() != 2) {
        throw new IllegalStateException("failed: " + String.join(" ", command));
      }
      return Arrays.stream(lines.getLast().split(" ")).mapToDouble(ColdStart::millis).sum();
    }
  }

  /// @param time such as 0m0.170000s
  private static double millis(String time) {
    String[] parts = time.substring(0, time.length() - 1).split("m");
    return Integer.parseInt(parts[0]) * 60_000 + Double.parseDouble(parts[1]) * 1000;
  }

  /// Until the line with the first result.
  private static double millis(String... command) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    try (Writer in = process.outputWriter(StandardCharsets.UTF_8);
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      in.write(CALL);
      in.flush();
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.contains("tool_result")) {
          return (System.nanoTime() - start) / 1e6;
        }
      }
    } finally {
      process.waitFor();
    }
    throw new IllegalStateException("no result from " + String.join(" ", command));
  }
}
