package dev.switchboard.cli;

import dev.switchboard.cli.chat.CallScreen;
import dev.switchboard.phone.TypedCall;
import dev.switchboard.text.IoReasons;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The caller of a call on the keyboard: each line is a sentence, or a command that begins with
/// `/`.
final class TypedCaller {
  private static final String HELP =
      """
      /key 12#   press keys: digits, * and #
      /hangup    hang up; so does Ctrl-D
      /help      this list\
      """;
  private static final Pattern KEYS = Pattern.compile("[0-9*#]+");

  private final Terminal terminal;
  private final TypedCall call;
  private final CallScreen screen;
  private final boolean typed;
  private volatile @Nullable Failure failure;

  /// @param typed whether the lines come from a terminal, which shows them; others wait until the
  ///   agent waits for one
  TypedCaller(Terminal terminal, TypedCall call, CallScreen screen, boolean typed) {
    this.terminal = terminal;
    this.call = call;
    this.screen = screen;
    this.typed = typed;
  }

  /// Holds the call; returns the reason of its end.
  ///
  /// @throws Failure when the input cannot be read
  String run() {
    // The call may end while a line is waited for.
    Thread unused = Thread.ofPlatform().daemon().name("caller").start(this::read);
    String reason = call.awaitEnd();
    Failure unreadable = failure;
    if (unreadable != null) {
      throw unreadable;
    }
    return reason;
  }

  private void read() {
    LineReader lines = new LineReader(terminal.in());
    try {
      while (typed || call.awaitCallersTurn()) {
        String line = lines.nextText();
        if (line == null || !take(line.strip())) {
          break;
        }
      }
    } catch (IOException e) {
      failure = Failure.work("Standard input cannot be read: " + IoReasons.ofFile(e) + ".", e);
    } catch (Failure e) {
      failure = e;
    } finally {
      call.hangUp();
    }
  }

  /// Does what a line says; false if that is to hang up.
  private boolean take(String line) {
    if (line.equals("/hangup")) {
      return false;
    }
    if (line.equals("/help")) {
      terminal.out().println(HELP);
    } else if (line.startsWith("/key ")) {
      press(line.substring("/key ".length()).replace(" ", ""));
    } else if (line.startsWith("/")) {
      mistake("there is no " + line.split("\\s", 2)[0] + ", only /key, /hangup, /help");
    } else if (!line.isEmpty()) {
      say(line);
    }
    return true;
  }

  private void say(String words) {
    if (!typed) {
      screen.caller(words);
    }
    call.say(words);
  }

  private void press(String keys) {
    if (!KEYS.matcher(keys).matches()) {
      mistake("/key takes digits, * and #");
      return;
    }
    if (!typed) {
      screen.keys(keys);
    }
    keys.chars().forEach(key -> call.press((char) key));
  }

  private void mistake(String why) {
    terminal.err().println("Not done: " + why + ".");
  }
}
