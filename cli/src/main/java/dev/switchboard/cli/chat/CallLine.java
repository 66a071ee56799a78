package dev.switchboard.cli.chat;

import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The one line that a tool call has on the screen: the call, and behind it where it stands.
///
/// @param status null while nothing is known of it
/// @param style of the status, a number of SGR
/// @param since when it began to run, on the clock's nanoseconds
record CallLine(ToolCall call, @Nullable String status, int style, long since) {
  private static final int CALL_WIDTH = 90;
  private static final int PLAIN = 0;
  private static final int DIM = 2;
  private static final int RED = 31;
  private static final int GREEN = 32;
  private static final int YELLOW = 33;

  static CallLine of(ToolCall call, Time time) {
    return new CallLine(call, null, PLAIN, time.nanos());
  }

  CallLine hint(String text) {
    return new CallLine(call, Shown.line(text), DIM, since);
  }

  CallLine waits() {
    return new CallLine(call, "waits for you", YELLOW, since);
  }

  CallLine settled(ToolResult result, Time time) {
    if (result.success()) {
      return new CallLine(call, "ok " + length(time), GREEN, since);
    }
    String error = result.error() == null ? result.message() : result.error();
    String code = result.code() == null ? "failed" : result.code().word();
    String text = error == null ? code : code + ": " + Shown.line(error);
    return new CallLine(call, text, RED, since);
  }

  private String length(Time time) {
    long millis = Duration.ofNanos(time.nanos() - since).toMillis();
    return millis < 10_000 ? millis + " ms" : millis / 1000 + " s";
  }

  /// The line, no wider than that; the call gives way to its status as far as half of it.
  String text(int width, boolean colour) {
    String end = status == null ? "..." : Shown.cut(status, Math.max(width / 2, width - 2 - 40));
    int room = Math.max(8, Math.min(CALL_WIDTH, width - end.length() - 3));
    String begin = Shown.cut(call.name() + " " + call.arguments().text(), room);
    String styled = colour && style != PLAIN ? "\u001b[" + style + "m" + end + "\u001b[0m" : end;
    return "  " + begin + " " + styled;
  }
}
