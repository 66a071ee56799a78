package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.mount.Role;
import dev.switchboard.server.access.Tokens;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `switchboard token list`: lists the tokens, one per line.
@Command(
    name = "list",
    description = {
      "List who has a token, in the order in which they were added.",
      "",
      "The tokens themselves are not stored and cannot be shown. A token from the environment"
          + " is not in the list."
    },
    footer = {
      "  switchboard token list",
      "  switchboard token list --json | jq -r 'select(.roles[] == \"operate\").name'"
    })
final class TokenListCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Option(
      names = "--json",
      description = "Print each token as {name, roles, forUsers, created, until}.")
  private boolean json;

  @Mixin private TokensOption tokens;

  TokenListCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    List<Tokens.Issued> all = tokens.open(folder).all();
    if (json) {
      all.forEach(each -> terminal.out().println(object(each)));
    } else if (all.isEmpty()) {
      terminal.out().println("No token is in " + tokens.file(folder) + ".");
    } else {
      Table.of(rows(all)).forEach(terminal.out()::println);
    }
  }

  private static Json object(Tokens.Issued token) {
    ObjectNode out = Codec.object().put("name", token.name());
    ArrayNode roles = out.putArray("roles");
    token.roles().forEach(role -> roles.add(role.word()));
    out.put("forUsers", token.forUsers()).put("created", token.created().toString());
    if (token.until() != null) {
      out.put("until", token.until().toString());
    }
    return Json.of(out);
  }

  private static List<List<String>> rows(List<Tokens.Issued> all) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("NAME", "ROLES", "CREATED", "UNTIL"));
    for (Tokens.Issued token : all) {
      rows.add(
          List.of(
              token.name(),
              Role.words(token.roles(), ", ") + (token.forUsers() ? ", for users" : ""),
              Moments.text(token.created()),
              token.until() == null ? "" : Moments.text(token.until())));
    }
    return rows;
  }
}
