package dev.switchboard.cli;

import dev.switchboard.check.Closest;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `switchboard help`: prints the help of a command.
@Command(
    name = "help",
    description = "Show the help of a command.",
    footer = {"  switchboard help", "  switchboard help chat", "  switchboard help tool call"})
final class HelpCommand implements Runnable {
  private final Terminal terminal;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "The command, with the one below it where it has any.")
  private List<String> words = List.of();

  HelpCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    CommandLine command = spec.root().commandLine();
    for (String word : words) {
      CommandLine below = command.getSubcommands().get(word);
      if (below == null) {
        throw unknown(word, command);
      }
      command = below;
    }
    command.usage(terminal.help(), command.getColorScheme());
  }

  private static Failure unknown(String word, CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    List<String> closest = Closest.to(word, command.getSubcommands().keySet());
    String hint = closest.isEmpty() ? "." : "; did you mean '" + closest.getFirst() + "'?";
    return Failure.usage("'" + name + "' has no command '" + Plain.line(word) + "'" + hint, null);
  }
}
