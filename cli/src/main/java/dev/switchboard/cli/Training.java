package dev.switchboard.cli;

import dev.switchboard.cli.demo.Demo;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.sqlite.JDBC;
import org.sqlite.util.LibraryLoaderUtil;

/// Runs typical commands once, while the launcher records an AOT cache of their classes, and lays
/// SQLite's library where the launcher finds it.
final class Training {
  private static final String COMMANDS = "/tools\n/rules\n/history\n";

  /// Tables that the demonstration does not have.
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

  /// Runs all commands with the demonstration's agent, without its service, and exits with the
  /// highest of their exit codes.
  ///
  /// @param args the folder for SQLite's library
  public static void main(String[] args) throws IOException {
    Main.logSentences();
    int exit = runAll();
    unpackSqlite(Path.of(args[0]));
    System.exit(exit);
  }

  /// Copies SQLite's library of this machine out of its jar, which each command that opens a store
  /// would do otherwise. Does nothing where there is none.
  static void unpackSqlite(Path folder) throws IOException {
    String name = LibraryLoaderUtil.getNativeLibName();
    String packed = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
    try (InputStream library = JDBC.class.getResourceAsStream(packed)) {
      if (library != null) {
        Files.createDirectories(folder);
        Path copy = Files.createTempFile(folder, name, null);
        Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
        Files.move(copy, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  /// Runs all commands; returns their highest exit code.
  static int runAll() throws IOException {
    Path folder = Files.createTempDirectory("switchboard-training");
    String agent = folder.resolve("agent.toml").toString();
    try {
      String storage = "[storage]\nurl = \"sqlite:" + folder.resolve("agent.db") + "\"\n";
      Files.writeString(Path.of(agent), Demo.agentFile() + TABLES + storage);
      int chat = run(folder, List.of("chat", agent, "--model", "ollama:none"), COMMANDS);
      return commands(agent, folder.resolve("first.toml").toString()).stream()
          .mapToInt(command -> run(folder, command, CALLS))
          .reduce(Math.max(chat, refused(folder, agent)), Math::max);
    } finally {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }

  private static List<List<String>> commands(String agent, String first) {
    return List.of(
        List.of("--help"),
        List.of("init", first),
        List.of("validate", first),
        List.of("--version"),
        List.of("help", "tool", "call"),
        List.of("completion"),
        List.of("validate", agent),
        List.of("tool", "list", agent),
        List.of("tool", "schema", agent),
        List.of("agent", "list", "rules", "Reservations"),
        List.of("exec", agent, "--conversation", "training"),
        List.of("approvals", "list", agent),
        List.of("mcp", "list", agent),
        List.of("calls", "list", agent),
        List.of("memory", "list", agent),
        List.of("memory", "search", "Ada", agent),
        List.of("conversations", "list", agent),
        List.of("conversations", "show", "training", agent));
  }

  /// 0 if a call with wrong arguments fails as expected.
  private static int refused(Path folder, String agent) {
    return run(folder, List.of("tool", "call", agent, "check_availability", "{}"), "") - 1;
  }

  private static int run(Path folder, List<String> command, String in) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    return Main.run(
        command.toArray(String[]::new),
        new Terminal(
            new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)), nowhere, nowhere, false),
        folder);
  }
}
