package dev.switchboard.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `switchboard completion`: prints the completion script for shells.
@Command(
    name = "completion",
    description = "Print the completion script for bash and zsh.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(switchboard completion)",
      "  switchboard completion > ~/.local/share/bash-completion/completions/switchboard"
    })
final class CompletionCommand implements Runnable {
  private final Terminal terminal;

  @Spec private CommandSpec spec;

  CompletionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    CommandSpec root = spec.root();
    String name = root.name();
    terminal.out().print(AutoComplete.bash(name, root.commandLine()));
    terminal.out().println("complete -F _complete_%1$s -o default ./%1$s".formatted(name));
  }
}
