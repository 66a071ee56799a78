package dev.switchboard.cli;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The text of a command for a shell.
final class CommandText {
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private CommandText() {}

  /// Those words, quoted if necessary.
  static String of(String... words) {
    return Stream.of(words).map(CommandText::quoted).collect(Collectors.joining(" "));
  }

  /// This command with those words, in the way the user has called it.
  static String again(String... words) {
    String command = System.getProperty("switchboard.command", "switchboard");
    return quoted(command) + " " + of(words);
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
