package dev.switchboard.cli;

import java.nio.file.Path;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `switchboard agent`: shows and changes the rules in an agent's file.
@Command(
    name = "agent",
    description = "Change and show the rules of an agent.",
    footer = {
      "  switchboard agent add rule MyAgent send_message exit-loop",
      "  switchboard agent list rules MyAgent",
      "  switchboard agent remove rule MyAgent send_message exit-loop"
    })
final class AgentCommand {
  /// The command and its subcommands, which look for agents' files in that folder.
  static CommandLine on(Terminal terminal, Path folder, Predicate<String> needed) {
    return new CommandGroup(new AgentCommand(), needed)
        .add(
            Add.class,
            () -> new CommandLine(new Add()).addSubcommand(new RuleAddCommand(terminal, folder)))
        .add(
            Remove.class,
            () ->
                new CommandLine(new Remove())
                    .addSubcommand(new RuleRemoveCommand(terminal, folder)))
        .add(
            ListCommand.class,
            () ->
                new CommandLine(new ListCommand())
                    .addSubcommand(new RuleListCommand(terminal, folder)))
        .line();
  }

  @Command(
      name = "add",
      description = "Add something to an agent's file.",
      footer = "  switchboard agent add rule MyAgent send_message exit-loop")
  private static final class Add {}

  @Command(
      name = "remove",
      description = "Remove something from an agent's file.",
      footer = "  switchboard agent remove rule MyAgent send_message")
  private static final class Remove {}

  @Command(
      name = "list",
      description = "Show what an agent's file holds.",
      footer = "  switchboard agent list rules MyAgent")
  private static final class ListCommand {}
}
