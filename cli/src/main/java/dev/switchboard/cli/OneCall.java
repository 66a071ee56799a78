package dev.switchboard.cli;

import dev.switchboard.cli.chat.ChatOptions;
import dev.switchboard.cli.chat.Shown;
import dev.switchboard.cli.chat.YesOrNo;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.Approver;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.util.UUID;

/// A call by a person, with a question for consent if it is needed.
final class OneCall {
  private static final int MOST_QUESTIONS = 3;

  private final Terminal terminal;
  private final boolean json;
  private final LineReader lines;

  /// @param json whether the whole result is printed
  OneCall(Terminal terminal, boolean json) {
    this.terminal = terminal;
    this.json = json;
    lines = new LineReader(terminal.in());
  }

  /// Asks on standard error, and again if the answer is neither yes nor no. At the end of the input
  /// no one can be asked.
  Approver approver() {
    return this::answer;
  }

  private Answer answer(ConsentRequest request) throws IOException {
    terminal
        .err()
        .print(
            "%s Run it with %s? [y/N] "
                .formatted(Plain.line(request.reason()), Shown.arguments(request.call())));
    for (int asked = 0; asked < MOST_QUESTIONS; asked++) {
      terminal.err().flush();
      switch (lines.next()) {
        case null -> {
          terminal.err().println();
          return asked == 0 ? new Answer.Nobody() : denied();
        }
        case LineReader.Line.Text(int number, String text) when YesOrNo.of(text) != null -> {
          return YesOrNo.of(text) == YesOrNo.NO
              ? denied()
              : Answer.approveOnce().by(ChatOptions.person());
        }
        case LineReader.Line.Text(int number, String text) when text.isBlank() -> {
          return denied(); // the capital letter of the question
        }
        case LineReader.Line line -> terminal.err().print("Please answer y or n. [y/N] ");
      }
    }
    return denied();
  }

  private static Answer denied() {
    return Answer.deny("").by(ChatOptions.person());
  }

  /// Runs the call, shows its progress, and prints its result; returns the exit code. A signal
  /// cancels the call if its tool may be cancelled, and the process waits for its result.
  int run(ToolExecutor executor, ToolCall call) {
    ToolSession session =
        ToolSession.builder(UUID.randomUUID().toString()).events(this::show).build();
    return Signals.cancelling(session::cancel, () -> print(executor.execute(call, session)));
  }

  private void show(Event event) {
    if (event instanceof Event.LoaderHint(String call, String hint, var after)) {
      terminal.err().println(hint);
    }
    content(event, json, terminal);
  }

  private int print(ToolResult result) {
    return print(result, json, terminal) ? 0 : 1;
  }

  /// Prints a result, and why the call failed to standard error; false if it did.
  static boolean print(ToolResult result, boolean json, Terminal terminal) {
    if (json) {
      terminal.out().println(result.json());
    } else if (result.success()) {
      terminal.out().println(result.text());
    }
    terminal.out().flush();
    if (!result.success()) {
      terminal.err().println("switchboard: " + reason(result));
      terminal.err().flush();
    }
    return result.success();
  }

  /// Prints text for the user, or its event if the output is JSON.
  static void content(Event event, boolean json, Terminal terminal) {
    if (event instanceof Event.Content(String words)) {
      terminal.out().println(json ? event.json() : words);
    }
  }

  /// Why a call failed, in one line: the message for the person, or else the error.
  static String reason(ToolResult result) {
    String reason = result.sentence();
    return reason == null ? "The tool reports a failure without a reason." : Plain.line(reason);
  }
}
