package dev.switchboard.cli;

import dev.switchboard.mount.Role;
import dev.switchboard.server.access.Tokens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `switchboard token roles`: changes the roles of a token.
@Command(
    name = "roles",
    description = {
      "Change what a token may do; the token stays valid.",
      "",
      "The roles replace those that it has. A running server knows them at once; open streams of"
          + " the token end."
    },
    footer = {
      "  switchboard token roles ada --role chat --role tools",
      "  switchboard token roles desk --role approve"
    })
final class TokenRolesCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Path folder;

  @Parameters(paramLabel = "NAME", description = "Whose token.")
  private String name;

  @Mixin private RolesOption roles;

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  @Mixin private TokensOption tokens;

  TokenRolesCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public Integer call() throws IOException {
    Set<Role> held = roles.roles();
    Tokens all = tokens.open(folder);
    tokens.checkKnown(all, name);
    if (!held.contains(Role.OPERATE)
        && !TokenRevokeCommand.isMeant(all, Set.of(name), new Confirmation(terminal, yes))) {
      return 1;
    }
    all.setRoles(name, held);
    terminal.out().println("The token of '%s' has %s.".formatted(name, Role.words(held, " and ")));
    return 0;
  }
}
