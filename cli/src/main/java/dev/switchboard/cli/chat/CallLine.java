package dev.switchboard.cli.chat;

import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The line of a tool call on the screen: the call, followed by its status.
///
/// @param status null if nothing is known
/// @param style of the status, an SGR number
record CallLine(ToolCall call, @Nullable String status, int style) {
  private static final int CALL_WIDTH = 90;
  private static final int PLAIN = 0;
  private static final int DIM = 2;
  private static final int RED = 31;
  private static final int GREEN = 32;
  private static final int YELLOW = 33;

  static CallLine of(ToolCall call) {
    return new CallLine(call, null, PLAIN);
  }

  CallLine hint(String text) {
    return new CallLine(call, Shown.line(text), DIM);
  }

  CallLine waits() {
    return new CallLine(call, "waits for you", YELLOW);
  }

  CallLine settled(ToolResult result) {
    if (result.success()) {
      return new CallLine(call, "ok", GREEN);
    }
    String error = result.error() == null ? result.message() : result.error();
    String code = result.code() == null ? "failed" : result.code().word();
    String text = error == null ? code : code + ": " + Shown.line(error);
    return new CallLine(call, text, RED);
  }

  /// The line of a call that took that long.
  CallLine took(Duration length) {
    long millis = length.toMillis();
    return style != GREEN || length.isZero()
        ? this
        : new CallLine(
            call,
            status + (millis < 10_000 ? " " + millis + " ms" : " " + millis / 1000 + " s"),
            GREEN);
  }

  /// Whether a line of that width does not show the whole call.
  boolean isCut(int width) {
    return !parts(width).call.equals("  " + call.name() + " " + Shown.arguments(call) + " ");
  }

  /// The parts of a line: the call, and its status.
  record Parts(String call, String status) {}

  /// Whether its status has a style.
  boolean isStyled() {
    return status != null && style != PLAIN;
  }

  /// The line as one text of at most that width.
  String text(int width) {
    Parts parts = parts(width);
    return parts.call + parts.status;
  }

  /// The line of at most that width; arguments are cut for the status.
  Parts parts(int width) {
    return parts(width, "");
  }

  /// The line with that text after the status.
  Parts parts(int width, String behind) {
    int name = Math.min(call.name().length() + 8, width / 2);
    int most = width - name - 3 - behind.length();
    String end = (status == null ? "..." : Shown.cut(status, most)) + behind;
    int room = Math.min(CALL_WIDTH, width - Shown.width(end) - 3);
    String begin = Shown.cut(call.name() + " " + Shown.arguments(call), room);
    return new Parts("  " + begin + " ", end);
  }
}
