package dev.switchboard.cli;

import dev.switchboard.cli.demo.Demo;
import dev.switchboard.cli.demo.LiveView;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `switchboard demo`: see it work.
@Command(
    name = "demo",
    description = {
      "Watch a reservation agent at work, offline.",
      "",
      "A booking service is started inside the command. Webhook tools call it over loopback, a tool"
          + " in Java reports progress, a busy endpoint is tried again, and a broken one opens its"
          + " circuit breaker. Only the model's side is recorded."
    },
    footer = {"  switchboard demo", "  switchboard demo --json"})
final class DemoCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--json", description = "Print the events as JSON, one a line.")
  private boolean json;

  DemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    LiveView view = new LiveView(terminal.out(), terminal.colour());
    List<String> surprises =
        new Demo(json ? new EventLines(terminal.out())::show : view::show).play();
    if (!surprises.isEmpty()) {
      throw Failure.work("The demonstration went wrong: " + surprises.getFirst(), null);
    }
    if (!json) {
      terminal.out().println("\n" + view.summary());
      terminal.out().println("Next: docs/tutorial/first-tool.md, or switchboard exec --help");
    }
    return 0;
  }
}
