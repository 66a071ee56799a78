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

/// `switchboard token add`: issues a token.
@Command(
    name = "add",
    description = {
      "Create a token for a client of the server and print it once.",
      "",
      "Conversations and memory belong to the name. Roles: chat talks to agents; tools calls tools"
          + " directly (HTTP, MCP); approve also answers other people's requests; operate does"
          + " everything. The file holds a hash of the token, and only its owner can read it. A"
          + " running server knows the token at once.",
      "",
      "With --for-users the token is for a back end with many users: each request names its user in"
          + " the header X-Act-For, and conversations and memory belong to that user."
    },
    footer = {
      "  switchboard token add ada",
      "  switchboard token add editor --role chat --role tools",
      "  switchboard token add shop --for-users",
      "  TOKEN=$(switchboard token add desk --role approve)",
      "  curl -H \"Authorization: Bearer $TOKEN\" http://localhost:8000/v1/me"
    })
final class TokenAddCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Path folder;

  @Parameters(
      paramLabel = "NAME",
      description = "Who has the token: a person or a program, once in the file.")
  private String name;

  @Mixin private RolesOption roles;

  @Option(
      names = "--for-users",
      description = "Each request names the user for whom it is made; the role is chat.")
  private boolean forUsers;

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  @Mixin private TokensOption tokens;

  TokenAddCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public Integer call() throws IOException {
    Set<Role> held = roles.roles();
    if (forUsers && !held.equals(Set.of(Role.CHAT))) {
      throw Failure.usage("A token for users has the role chat; leave out --role.", null);
    }
    Tokens.checkName(name);
    Tokens all = tokens.open(folder);
    if (!isMeant()) {
      return 1;
    }
    if (forUsers) {
      all.addForUsers(name, token -> TokensOption.show(terminal, token));
    } else {
      all.add(name, held, token -> TokensOption.show(terminal, token));
    }
    terminal.err().println("This is shown once; %s holds its hash.".formatted(tokens.file(folder)));
    return 0;
  }

  /// A new token of a name opens what the name still owns.
  private boolean isMeant() throws IOException {
    String owned = OwnedByName.beside(tokens.file(folder), folder, name);
    return owned == null
        || new Confirmation(terminal, yes)
            .of(owned + " Add it?", "No token was added; --yes adds it without a question.");
  }
}
