package dev.switchboard.cli;

import dev.switchboard.cli.chat.SafeStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;

/// The streams of a command. Untrusted texts are printed unchanged: the streams escape what would
/// control a terminal or be invisible.
///
/// @param colour whether `out` may have color
record Terminal(InputStream in, PrintStream out, PrintStream err, boolean colour) {
  Terminal {
    out = SafeStream.over(out);
    err = SafeStream.over(err);
  }

  /// Standard output for the help of commands, without escaping, since its text and colors are our
  /// own.
  PrintStream help() {
    return SafeStream.over(out).below();
  }

  /// Whether both standard streams of this process are a terminal.
  static boolean isTyped() {
    return Boolean.getBoolean("switchboard.typed") && isShown();
  }

  /// Whether this process's standard output is a terminal.
  static boolean isShown() {
    // Only the launcher knows: Java does not report whether the output is a terminal.
    return Boolean.getBoolean("switchboard.terminal");
  }

  /// Whether this process's standard output should have color.
  static boolean wantsColour() {
    return wantsColour(isShown(), System.getenv());
  }

  /// Whether an output should have color: a terminal that supports it, and `NO_COLOR` is not set.
  static boolean wantsColour(boolean terminal, Map<String, String> environment) {
    return terminal
        && environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }
}
