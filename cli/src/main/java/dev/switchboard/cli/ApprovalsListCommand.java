package dev.switchboard.cli;

import dev.switchboard.cli.chat.Shown;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.StoreException;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// `switchboard approvals list`: lists calls that wait, or lasting consents.
@Command(
    name = "list",
    description = {
      "List the waiting calls, in the order in which they expire.",
      "",
      "Expired requests are closed and not shown. Without a file, the requests of all agents here"
          + " with a storage are listed; if one cannot be read, the others are, and it exits with"
          + " 1.",
      "",
      "With --grants, the lasting consents: whose calls of which tool run without a request, with"
          + " which arguments, since and until when. 'approvals revoke ID' takes one back."
    },
    footer = {
      "  switchboard approvals list agent.toml",
      "  switchboard approvals list --grants agent.toml",
      "  switchboard approvals list --json | jq -r .id"
    })
final class ApprovalsListCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Path folder;

  @Parameters(
      arity = "0..1",
      paramLabel = "AGENT.toml",
      description = "The agent's file; if left out, every *.toml here that has a storage.")
  private @Nullable Path file;

  @Option(
      names = "--json",
      description =
          "Print each request as {id, conversation, tool, arguments, mode, reason, scope,"
              + " expiresAt}; each consent as {id, principal, tool, arguments, conversation, since,"
              + " until}, without a principal if it is every one's.")
  private boolean json;

  @Option(names = "--grants", description = "List the lasting consents instead.")
  private boolean grants;

  ApprovalsListCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public Integer call() {
    List<Path> files = file == null ? StoredAgent.withStorage(folder) : List.of(file);
    if (files.size() < 2) {
      list(file);
      return 0;
    }
    boolean well = true;
    for (Path each : files) {
      if (!json) {
        terminal.out().println(each + ":");
      }
      well &= isListed(each);
    }
    return well ? 0 : 1;
  }

  private boolean isListed(Path each) {
    try {
      list(each);
      return true;
    } catch (Failure | StoreException e) {
      terminal.err().println("switchboard: " + e.getMessage());
      return false;
    }
  }

  private void list(@Nullable Path agents) {
    try (StoredAgent agent = StoredAgent.open(agents, folder, terminal)) {
      if (grants) {
        new LastingConsents(agent.store()).show(terminal, json);
      } else {
        show(OpenRequests.of(agent, event -> {}).all());
      }
    }
  }

  private void show(List<ConsentRequest> requests) {
    if (json) {
      requests.forEach(request -> terminal.out().println(object(request)));
    } else if (requests.isEmpty()) {
      terminal.out().println("No call waits for consent");
    } else {
      Table.of(rows(requests)).forEach(terminal.out()::println);
    }
  }

  private static Json object(ConsentRequest request) {
    ObjectNode out = Codec.object();
    out.put("id", request.id());
    out.put("conversation", request.conversation());
    out.put("tool", request.call().name());
    out.set("arguments", request.call().json().tree().path("arguments"));
    out.put("mode", request.mode().word());
    out.put("reason", request.reason());
    if (request.scope() != null) {
      out.put("scope", request.scope());
    }
    out.put("expiresAt", request.expiresAt().toString());
    return Json.of(out);
  }

  private static List<List<String>> rows(List<ConsentRequest> requests) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ID", "CONVERSATION", "TOOL", "MODE", "EXPIRES", "REASON", "ARGUMENTS"));
    for (ConsentRequest request : requests) {
      rows.add(
          List.of(
              request.id(),
              request.conversation(),
              request.call().name(),
              request.mode().word(),
              Moments.text(request.expiresAt()),
              Plain.line(request.reason()),
              Shown.arguments(request.call())));
    }
    return rows;
  }
}
