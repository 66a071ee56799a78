package dev.switchboard.cli;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// One conversation of `exec`: lines in, events out, one line after the other.
///
/// Safe for use by several threads, so that a signal can end it.
final class ExecRun {
  private final ToolExecutor executor;
  private final ToolSession session;
  private final EventLines events;
  private final ReentrantLock lineLock = new ReentrantLock();
  private boolean begun; // guarded by lineLock
  private boolean over; // guarded by lineLock

  ExecRun(ToolExecutor executor, ToolSession session, EventLines events) {
    this.executor = executor;
    this.session = session;
    this.events = events;
  }

  /// Takes every line and closes the last turn.
  void takeAll(LineReader lines) throws IOException {
    for (LineReader.Line line = lines.next();
        line != null && !events.broken();
        line = lines.next()) {
      take(line);
    }
    end(stopReason());
  }

  /// Ends the conversation: what may be cancelled is, the rest is waited for.
  void cancel() {
    session.cancel();
    end("cancelled");
  }

  private void end(String stopReason) {
    lineLock.lock();
    try {
      if (!over) {
        over = true;
        done(stopReason);
      }
    } finally {
      lineLock.unlock();
    }
  }

  private void take(LineReader.Line line) {
    lineLock.lock();
    try {
      if (over) {
        return;
      }
      switch (line) {
        case LineReader.Line.Unreadable(int number, String why) -> bad(number, why);
        case LineReader.Line.Text(int number, String text) when !text.isBlank() ->
            take(number, ExecLine.read(text));
        case LineReader.Line.Text blank -> {}
      }
    } finally {
      lineLock.unlock();
    }
  }

  private void take(int number, ExecLine line) {
    switch (line) {
      case ExecLine.Bad(String why) -> bad(number, why);
      case ExecLine.User() -> nextTurn();
      case ExecLine.Round(List<ExecLine.Call> calls) -> round(number, calls);
    }
  }

  private void nextTurn() {
    if (begun) {
      done(stopReason());
    }
    begun = true;
    session.nextTurn();
  }

  /// The calls in their order, so that a malformed one takes no id that a sound one before it has.
  private void round(int number, List<ExecLine.Call> calls) {
    begun = true;
    List<ToolCall> sound = new ArrayList<>();
    for (ExecLine.Call call : calls) {
      switch (call) {
        case ExecLine.Sound(ToolCall good) -> sound.add(good);
        case ExecLine.Malformed(ToolCall shown, String why) -> {
          execute(sound);
          executor.refuse(shown, why, session);
        }
        case ExecLine.Nameless(String why) -> {
          execute(sound);
          bad(number, why);
        }
      }
    }
    execute(sound);
  }

  private void execute(List<ToolCall> sound) {
    executor.executeAll(sound, session);
    sound.clear();
  }

  private void bad(int number, String why) {
    String message = "Line " + number + " was not taken: " + why + ".";
    events.show(new Event.Failed(message, "bad_line", Map.of("line", Json.of(number))));
  }

  private String stopReason() {
    return session.exited() ? "terminal_result" : "end_turn";
  }

  private void done(String stopReason) {
    events.show(new Event.Done(Json.of(Codec.object().put("stopReason", stopReason))));
  }
}
