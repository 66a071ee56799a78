package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.cli.chat.Manner;
import dev.switchboard.cli.chat.Shown;
import dev.switchboard.config.AgentFile;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `switchboard tool call`: one call by hand.
@Command(
    name = "call",
    description = {
      "Call one tool and print what the model reads of its result.",
      "",
      "Progress goes to standard error, a message to the user to standard output. A tool that needs"
          + " consent is run after a yes on standard input. Exits with 1 if the call failed."
    },
    footer = {
      "  switchboard tool call agent.toml check_table '{\"date\":\"2025-03-15\"}'",
      "  switchboard tool call --json agent.toml list_tables '{}'"
    })
final class ToolCallCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private AgentArgument agent;

  @Parameters(index = "1", paramLabel = "NAME", description = "The tool.")
  private String name;

  @Parameters(index = "2", paramLabel = "JSON", description = "The arguments, a JSON object.")
  private String arguments;

  @Option(names = "--json", description = "Print the whole result.")
  private boolean json;

  ToolCallCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    AgentFile file = agent.readAll(terminal);
    try (Kept kept = Kept.open(agent.file(), file, terminal.err())) {
      return call(file, kept);
    }
  }

  private int call(AgentFile file, Kept kept) {
    LineReader lines = new LineReader(terminal.in());
    ToolExecutor executor =
        Switchboard.executor(file, kept.memory())
            .approver(request -> answer(request, lines))
            .build();
    ToolSession session =
        ToolSession.builder(UUID.randomUUID().toString()).events(this::show).build();
    ToolResult result = executor.execute(ToolCall.of(name, arguments), session);
    if (json) {
      terminal.out().println(result.json());
    } else if (result.success()) {
      terminal.out().println(result.text());
    }
    if (!result.success()) {
      throw Failure.work(reason(result), null);
    }
    return 0;
  }

  /// Asks on standard error, and takes anything but a yes for a no; at the end of the input there
  /// is no one to ask.
  private Answer answer(ConsentRequest request, LineReader lines) throws IOException {
    terminal
        .err()
        .print(
            "%s Run it with %s? [y/N] "
                .formatted(Plain.line(request.reason()), Shown.arguments(request.call())));
    terminal.err().flush();
    return switch (lines.next()) {
      case null -> {
        terminal.err().println();
        yield new Answer.Nobody();
      }
      case LineReader.Line.Text(int number, String text) when isYes(text) ->
          Answer.approveOnce().by(Manner.person());
      case LineReader.Line line -> Answer.deny("").by(Manner.person());
    };
  }

  private static boolean isYes(String text) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    return word.equals("y") || word.equals("yes");
  }

  private void show(Event event) {
    if (event instanceof Event.LoaderHint(String call, String hint, var after)) {
      terminal.err().println(hint);
    }
    content(event, json, terminal);
  }

  /// Prints words to the user; as their event where all is JSON.
  static void content(Event event, boolean json, Terminal terminal) {
    if (event instanceof Event.Content(String words)) {
      terminal.out().println(json ? event.json() : words);
    }
  }

  /// Why a call failed, in one line.
  static String reason(ToolResult result) {
    @Nullable String error = result.error() == null ? result.message() : result.error();
    return error == null ? "The tool reports a failure without a reason." : Plain.line(error);
  }
}
