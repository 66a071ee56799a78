package dev.switchboard.cli;

import dev.switchboard.cli.chat.ChatOptions;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.Durations;
import dev.switchboard.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard approvals approve`: runs waiting calls.
@Command(
    name = "approve",
    description = {
      "Approve waiting calls, run them here, and print what the model reads of their results.",
      "",
      "The rules are checked again. Exits with 1 if a call failed or no longer waits."
    },
    footer = {
      "  switchboard approvals approve c7 c8 agent.toml",
      "  switchboard approvals approve c7 --for 10m agent.toml",
      "  switchboard approvals approve c7 --arguments '{\"amount\":100}' agent.toml"
    })
final class ApproveCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private RequestArguments requests;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "Also approve similar calls for this long, such as 10m.")
  private @Nullable String length;

  @Option(names = "--always", description = "Also approve similar calls from now on.")
  private boolean always;

  @Option(
      names = "--for-all",
      description =
          "With --for or --always: in the conversations of all principals, not only of the one who"
              + " asked.")
  private boolean forAll;

  @Option(
      names = "--arguments",
      paramLabel = "JSON",
      description = "Run the call with these arguments instead of its own.")
  private @Nullable String arguments;

  ApproveCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public Integer call() {
    List<OpenRequests.Name> names = requests.names();
    Answer.Approved answer = answer(names.size()).by(ChatOptions.person());
    try (StoredAgent agent = StoredAgent.open(requests.file(), folder, terminal)) {
      OpenRequests open =
          OpenRequests.of(agent, event -> OneCall.content(event, requests.json(), terminal));
      // All are looked up first, so that nothing runs if a name is wrong.
      names.forEach(open::find);
      return Signals.cancelling(
          open::cancel,
          () -> names.stream().filter(name -> !ran(open, name, answer)).toList().isEmpty() ? 0 : 1);
    }
  }

  private Answer.Approved answer(int count) {
    if (always && length != null) {
      throw Failure.usage("--for and --always do not go together.", null);
    }
    if (arguments != null && count > 1) {
      throw Failure.usage("--arguments goes with one request, not with " + count + ".", null);
    }
    Answer.Approved plain = length == null ? Answer.approveOnce() : Answer.approveFor(length());
    Answer.Approved answer = always ? Answer.approveAlways() : plain;
    if (forAll && !answer.lasts()) {
      throw Failure.usage("--for-all goes with --for or --always.", null);
    }
    answer = forAll ? answer.everywhere() : answer;
    return arguments == null ? answer : answer.with(json(arguments));
  }

  private Duration length() {
    Duration parsed = length == null ? null : Durations.parse(length);
    if (parsed == null || !parsed.isPositive()) {
      throw Failure.usage("--for must be " + Durations.FORMS + ", not '" + length + "'.", null);
    }
    return parsed;
  }

  private static Json json(String text) {
    try {
      Json json = Json.text(text);
      json.check();
      return json;
    } catch (JsonException e) {
      throw Failure.usage("The text of --arguments " + e.getMessage() + ".", e);
    }
  }

  private boolean ran(OpenRequests open, OpenRequests.Name name, Answer answer) {
    ConsentRequest request = open.find(name);
    ToolResult result = request == null ? null : open.answer(request, answer).orElse(null);
    if (result == null) {
      terminal.err().println("switchboard: " + open.missing(name));
      terminal.err().flush();
      return false;
    }
    return OneCall.print(result, requests.json(), terminal);
  }
}
