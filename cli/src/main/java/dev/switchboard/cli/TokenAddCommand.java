package dev.switchboard.cli;

import dev.switchboard.server.access.Role;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Collectors;
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
      "Conversations belong to the name. The role chat talks with agents and sees its own"
          + " conversations, approve also answers the calls that wait for a person, operate does"
          + " everything. The file holds a hash of the token, and only its owner can read it. A"
          + " running server takes the token at once."
    },
    footer = {
      "  switchboard token add ada",
      "  TOKEN=$(switchboard token add desk --role approve)",
      "  curl -H \"Authorization: Bearer $TOKEN\" http://localhost:8000/v1/me"
    })
final class TokenAddCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Parameters(
      paramLabel = "NAME",
      description = "Who has the token: a person or a program, once in the file.")
  private String name;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      completionCandidates = Roles.class,
      description = "What it may do: ${COMPLETION-CANDIDATES} (default: chat).")
  private String role = Role.CHAT.word();

  @Mixin private TokensOption tokens;

  /// The names of the roles.
  static final class Roles implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Role.values()).map(Role::word).iterator();
    }
  }

  TokenAddCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    String token = tokens.open(folder).add(name, role());
    terminal.out().println(token);
    terminal.err().println("This is shown once; %s holds its hash.".formatted(tokens.file(folder)));
  }

  private Role role() {
    return Arrays.stream(Role.values())
        .filter(each -> each.word().equals(role))
        .findFirst()
        .orElseThrow(() ->
            Failure.usage(
                "There is no role '%s'; the roles are %s."
                    .formatted(
                        role,
                        Arrays.stream(Role.values())
                            .map(Role::word)
                            .collect(Collectors.joining(", "))),
                null));
  }
}
