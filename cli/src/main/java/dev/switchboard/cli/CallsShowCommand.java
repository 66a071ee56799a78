package dev.switchboard.cli;

import dev.switchboard.phone.call.CallRow;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `switchboard calls show`: shows the transcript and the events of a call.
@Command(
    name = "show",
    description = {
      "Print a phone call: who called, how it ended, what was said and done.",
      "",
      "Of the agent's words those that the caller heard. Control characters and invisible"
          + " characters are escaped."
    },
    footer = {
      "  switchboard calls show CA42 agent.toml",
      "  switchboard calls show CA42 --json agent.toml"
    })
final class CallsShowCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Parameters(
      arity = "1..*",
      paramLabel = "ID",
      description =
          "The call's id, and the agent's file; if that is left out, the only *.toml here that has"
              + " a storage.")
  private List<String> words;

  @Option(
      names = "--json",
      description =
          "Print the call as 'calls list' does, and then each message as 'conversations show'"
              + " does.")
  private boolean json;

  CallsShowCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    List<String> ids =
        words.stream().filter(word -> !RequestArguments.isFile(words, word)).distinct().toList();
    if (ids.size() != 1) {
      throw Failure.usage("Name one call by its id; 'switchboard calls list' has them.", null);
    }
    String id = ids.getFirst();
    try (StoredAgent stored = StoredAgent.open(RequestArguments.file(words), folder, terminal)) {
      CallRow call = CallRow.find(stored.store(), id);
      if (call == null) {
        throw Failure.work("No phone call '" + Plain.line(id) + "' is stored.", null);
      }
      show(call);
      new ConversationText(terminal, json).show(stored.conversations().show(id));
    }
  }

  private void show(CallRow call) {
    if (json) {
      terminal.out().println(CallsListCommand.object(call));
      return;
    }
    line("from", call.from());
    line("to", call.to());
    if (call.started() != null) {
      line("began", Moments.text(call.started()));
    }
    String at = call.ended() == null ? "" : Moments.text(call.ended()) + " ";
    line("end", at + CallsListCommand.end(call));
    if (!call.unmet().isEmpty()) {
      line("unmet", String.join(", ", call.unmet()));
    }
  }

  private void line(String name, String value) {
    terminal.out().println("%-6s  %s".formatted(name, Plain.line(value)));
  }
}
