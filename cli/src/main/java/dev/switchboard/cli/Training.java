package dev.switchboard.cli;

import dev.switchboard.cli.demo.Demo;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Typical commands, run once while the launcher records an AOT cache of the classes they need.
final class Training {
  private static final String COMMANDS = "/tools\n/rules\n/history\n";

  /// Tables that the demonstration does without.
  private static final String TABLES =
      """

      [agent.limits]
      iterations = 8
      [agent.variables]
      house = "Da Enzo"
      [agent.memory.guest]
      description = "Who calls"
      """;

  private static final String CALLS =
      """
      {"id":"c1","name":"check_availability","arguments":{"date":"15.3."}}
      {"id":"c2","name":"send_confirmation","arguments":{"text":"T5"}}
      """;

  private Training() {}

  /// Runs all commands on the demonstration's agent, whose service is not there, and ends the
  /// process with the highest of their exit codes.
  public static void main(String[] args) throws IOException {
    System.exit(runAll());
  }

  /// The highest exit code of them all.
  static int runAll() throws IOException {
    Path folder = Files.createTempDirectory("switchboard-training");
    Path agent = folder.resolve("agent.toml");
    try {
      Files.writeString(agent, Demo.agentFile() + TABLES);
      int chat = run(List.of("chat", agent.toString(), "--model", "ollama:none"), COMMANDS);
      return commands(agent.toString()).stream()
          .mapToInt(command -> run(command, CALLS))
          .reduce(chat, Math::max);
    } finally {
      Files.deleteIfExists(agent);
      Files.deleteIfExists(folder);
    }
  }

  private static List<List<String>> commands(String agent) {
    return List.of(
        List.of("--help"),
        List.of("--version"),
        List.of("completion", "--help"),
        List.of("validate", agent),
        List.of("tool", "list", agent),
        List.of("exec", agent));
  }

  private static int run(List<String> command, String in) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    return Main.run(
        command.toArray(String[]::new),
        new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
        nowhere,
        nowhere);
  }
}
