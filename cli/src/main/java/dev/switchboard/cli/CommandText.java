package dev.switchboard.cli;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The text of a command as a shell takes it.
final class CommandText {
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private CommandText() {}

  /// Those words, quoted where a shell would take them otherwise.
  static String of(String... words) {
    return Stream.of(words).map(CommandText::quoted).collect(Collectors.joining(" "));
  }

  /// This command with those words, as a person has called it.
  static String again(String... words) {
    String command = System.getProperty("switchboard.command", "switchboard");
    return quoted(command) + " " + of(words);
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
