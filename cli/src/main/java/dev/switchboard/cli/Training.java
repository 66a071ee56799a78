package dev.switchboard.cli;

import java.io.InputStream;
import java.util.List;

/// Typical commands, run once while the launcher records an AOT cache of the classes they need.
final class Training {
  static final List<List<String>> COMMANDS =
      List.of(List.of("--help"), List.of("--version"), List.of("completion", "--help"));

  private Training() {}

  /// Runs all commands and ends the process with the highest of their exit codes.
  public static void main(String[] args) {
    System.exit(COMMANDS.stream().mapToInt(Training::run).max().orElse(0));
  }

  private static int run(List<String> command) {
    return Main.run(
        command.toArray(String[]::new), InputStream.nullInputStream(), System.out, System.err);
  }
}
