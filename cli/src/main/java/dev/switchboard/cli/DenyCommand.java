package dev.switchboard.cli;

import dev.switchboard.cli.chat.ChatOptions;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.tool.ToolResult;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard approvals deny`: denies waiting calls.
@Command(
    name = "deny",
    description = {
      "Deny waiting calls; the model is told so.",
      "",
      "Exits with 1 if a call no longer waits."
    },
    footer = {
      "  switchboard approvals deny c7 agent.toml",
      "  switchboard approvals deny c7 c8 --reason 'not this month' agent.toml"
    })
final class DenyCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private RequestArguments requests;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the model.")
  private @Nullable String reason;

  DenyCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public Integer call() {
    List<OpenRequests.Name> names = requests.names();
    try (StoredAgent agent = StoredAgent.open(requests.file(), folder, terminal)) {
      OpenRequests open = OpenRequests.of(agent, event -> {});
      names.forEach(open::find);
      return names.stream().filter(name -> !denied(open, name)).toList().isEmpty() ? 0 : 1;
    }
  }

  private boolean denied(OpenRequests open, OpenRequests.Name name) {
    ConsentRequest request = open.find(name);
    ToolResult result = request == null ? null : open.answer(request, denial()).orElse(null);
    if (result == null) {
      terminal.err().println("switchboard: " + open.missing(name));
      return false;
    }
    terminal.out().println(requests.json() ? result.json() : "Denied: " + name.id());
    return true;
  }

  private Answer denial() {
    return Answer.deny(reason == null ? "" : reason).by(ChatOptions.person());
  }
}
