package dev.switchboard.cli;

import dev.switchboard.server.access.Tokens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `switchboard token revoke`: revokes tokens.
@Command(
    name = "revoke",
    description = {
      "Make tokens invalid, for a running server too.",
      "",
      "Logins of the console with them end; conversations stay, and belong to the next token of"
          + " that name. Asks before the last token of the role operate. Exits with 1 if a name has"
          + " no token."
    },
    footer = {"  switchboard token revoke ada", "  switchboard token revoke ada desk"})
final class TokenRevokeCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Path folder;

  @Parameters(arity = "1..*", paramLabel = "NAME", description = "Whose tokens.")
  private List<String> names;

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  @Mixin private TokensOption tokens;

  TokenRevokeCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public Integer call() throws IOException {
    Tokens all = tokens.open(folder);
    if (!isMeant(all, Set.copyOf(names), new Confirmation(terminal, yes))) {
      return 1;
    }
    int missing = 0;
    for (String name : names) {
      if (all.revoke(name)) {
        terminal.out().println("Revoked the token of '%s'.".formatted(name));
      } else {
        missing++;
        terminal.err().println("switchboard: '%s' has no token.".formatted(name));
      }
    }
    return missing == 0 ? 0 : 1;
  }

  /// Asks if none would have the role operate without these names.
  static boolean isMeant(Tokens all, Set<String> names, Confirmation confirmation)
      throws IOException {
    return !all.haveOperator()
        || all.haveOperatorWithout(names)
        || confirmation.of(
            "No other token has the role operate. Go on?",
            "Nothing was changed; --yes goes on without a question.");
  }
}
