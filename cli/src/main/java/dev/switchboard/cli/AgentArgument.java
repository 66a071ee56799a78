package dev.switchboard.cli;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.config.ConfigException.Fault.Severity;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Parameters;

/// The agent's file of a command.
final class AgentArgument {
  /// The maximum number of tools named in a message.
  private static final int NAMED = 3;

  @Parameters(index = "0", paramLabel = "AGENT.toml", description = "The agent's file.")
  private Path file;

  Path file() {
    return file;
  }

  /// The agent; warnings are printed to standard error.
  ///
  /// @throws Failure when the file has an error; all faults are printed to standard error
  AgentFile read(Terminal terminal) {
    return read(file, terminal);
  }

  /// The agent, whose tools are used here; warnings are printed to standard error.
  ///
  /// @throws Failure when the file has an error, or names tools that are made in Java
  AgentFile readAll(Terminal terminal) {
    return readAll(file, terminal);
  }

  /// The agent of that file, as [#readAll(Terminal)].
  static AgentFile readAll(Path file, Terminal terminal) {
    AgentFile agent = read(file, terminal);
    List<String> java = agent.javaTools();
    if (!java.isEmpty()) {
      String names = java.stream().limit(NAMED).collect(Collectors.joining("', '", "'", "'"));
      throw Failure.usage(
          "%s names tools that are made in Java (%s%s); this command runs only those of the file."
              .formatted(file, Plain.line(names), java.size() > NAMED ? ", ..." : ""),
          null);
    }
    return agent;
  }

  static AgentFile read(Path file, Terminal terminal) {
    try {
      AgentFile agent = AgentFile.read(file);
      agent.warnings().forEach(terminal.err()::println);
      return agent;
    } catch (ConfigException e) {
      throw failure(file, e, terminal);
    }
  }

  /// What that builder makes.
  ///
  /// @throws Failure when it cannot be made, such as when two MCP servers have a tool of one name
  static <T> T built(Supplier<T> builder) {
    try {
      return builder.get();
    } catch (IllegalArgumentException e) {
      String why = String.valueOf(e.getMessage());
      throw Failure.work(why.endsWith(".") ? why : why + ".", e);
    }
  }

  /// The failure of that file; several faults are printed to standard error.
  static Failure failure(Path file, ConfigException e, Terminal terminal) {
    if (e.faults().size() == 1) {
      return Failure.usage(e.faults().getFirst().toString(), e);
    }
    e.faults().forEach(terminal.err()::println);
    return Failure.usage(summary(file, e.faults()), e);
  }

  /// For example `agent.toml: 2 errors, 1 warning`.
  static String summary(Path file, List<ConfigException.Fault> faults) {
    long errors = faults.stream().filter(fault -> fault.severity() == Severity.ERROR).count();
    long warnings = faults.size() - errors;
    String both = errors > 0 && warnings > 0 ? ", " : "";
    return file
        + ": "
        + (errors > 0 ? count(errors, "error") : "")
        + both
        + (warnings > 0 ? count(warnings, "warning") : "");
  }

  static String count(long number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }
}
