package dev.switchboard.cli;

import java.nio.file.Path;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `switchboard approvals`: the calls that wait for a person, and lasting consents.
@Command(
    name = "approvals",
    description = "Show and answer waiting calls; take back lasting consents.",
    footer = {
      "  switchboard approvals list agent.toml",
      "  switchboard approvals approve c7 agent.toml",
      "  switchboard approvals deny c7 --reason 'not this month' agent.toml"
    })
final class ApprovalsCommand {
  /// The command and its subcommands, which look for an agent's file in that folder if none is
  /// named.
  static CommandLine on(Terminal terminal, Path folder, Predicate<String> needed) {
    return new CommandGroup(new ApprovalsCommand(), needed)
        .add(ApprovalsListCommand.class, () -> new ApprovalsListCommand(terminal, folder))
        .add(ApproveCommand.class, () -> new ApproveCommand(terminal, folder))
        .add(DenyCommand.class, () -> new DenyCommand(terminal, folder))
        .add(ApprovalsRevokeCommand.class, () -> new ApprovalsRevokeCommand(terminal, folder))
        .line();
  }
}
