package dev.switchboard.cli;

import dev.switchboard.cli.chat.SafeStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;

/// What a command reads from and writes to. Texts of others are printed as they are: the streams
/// escape what would act on a terminal or be invisible.
///
/// @param colour whether `out` may carry colour
record Terminal(InputStream in, PrintStream out, PrintStream err, boolean colour) {
  Terminal {
    out = SafeStream.over(out);
    err = SafeStream.over(err);
  }

  /// Standard output for the help of commands, whose words and colours are all our own.
  PrintStream help() {
    return SafeStream.over(out).below();
  }

  /// Whether a person sits at this process, both of whose standard streams are a terminal.
  static boolean isTyped() {
    return Boolean.getBoolean("switchboard.typed") && isShown();
  }

  /// Whether this process's standard output is a terminal.
  static boolean isShown() {
    // Only the launcher can tell: Java knows a console, but not whether the output goes there.
    return Boolean.getBoolean("switchboard.terminal");
  }

  /// Whether this process's standard output wants colour.
  static boolean wantsColour() {
    return wantsColour(isShown(), System.getenv());
  }

  /// Whether an output wants colour: a terminal that can show it, and `NO_COLOR` is not set.
  static boolean wantsColour(boolean terminal, Map<String, String> environment) {
    return terminal
        && environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }
}
