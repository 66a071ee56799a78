package dev.switchboard.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `switchboard approvals revoke`: takes back lasting consents.
@Command(
    name = "revoke",
    description = {
      "Take back lasting consents: later calls ask again.",
      "",
      "Exits with 1 if there is none of an id."
    },
    footer = {
      "  switchboard approvals list --grants agent.toml",
      "  switchboard approvals revoke gXnZ2fW0aQo3 agent.toml"
    })
final class ApprovalsRevokeCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Path folder;

  @Parameters(
      arity = "1..*",
      paramLabel = "ID",
      description =
          "The consents' ids, as 'approvals list --grants' shows them, and the agent's file: the"
              + " argument that ends in .toml, or the last one if it is a file. Left out, it is the"
              + " only *.toml here that has a storage.")
  private List<String> words;

  ApprovalsRevokeCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public Integer call() {
    List<String> ids =
        RequestArguments.ids(
            words, "Name a consent by its id; 'switchboard approvals list --grants' has them.");
    try (StoredAgent agent = StoredAgent.open(RequestArguments.file(words), folder, terminal)) {
      LastingConsents consents = new LastingConsents(agent.store());
      return ids.stream().filter(id -> !isRevoked(consents, id)).toList().isEmpty() ? 0 : 1;
    }
  }

  private boolean isRevoked(LastingConsents consents, String id) {
    boolean revoked = consents.revoke(id);
    if (revoked) {
      terminal.out().println("Revoked: " + id);
    } else {
      terminal.err().println("switchboard: There is no lasting consent '" + id + "'.");
    }
    return revoked;
  }
}
