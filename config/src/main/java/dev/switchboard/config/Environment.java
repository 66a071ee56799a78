package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.process.OwnerFile;
import dev.switchboard.toml.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The environment variables of this process, and those of the file `.env` beside an agent's file
/// that the process does not have. It looks up only variables that an agent's file names, and no
/// value appears in a message.
final class Environment {
  /// The name of the file with additional variables.
  static final String FILE = ".env";

  /// Only the environment variables of this process.
  static final Environment OF_PROCESS = new Environment(System::getenv);

  /// Any variables, whose values are not known.
  static final Environment NOT_LOOKED_UP = new Environment(name -> "not-looked-up");

  private static final Pattern VARIABLE =
      Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^{}$]*))?}");

  private final Function<String, @Nullable String> variables;

  private Environment(Function<String, @Nullable String> variables) {
    this.variables = variables;
  }

  /// The variables of this function, null for those that are not set.
  static Environment of(Function<String, @Nullable String> variables) {
    return new Environment(variables);
  }

  /// These variables, with missing ones from the file `.env` in the agent's folder.
  ///
  /// @param faults receives lines that cannot be read, without their content
  Environment beside(Path agent, FaultList faults) {
    if (this == NOT_LOOKED_UP) {
      return this;
    }
    Path file = agent.resolveSibling(FILE);
    if (!Files.exists(file) || Files.isDirectory(file)) {
      return this;
    }
    Map<String, String> more = FileOfVariables.read(file, faults);
    return new Environment(name -> {
      String own = variables.apply(name);
      return own == null ? more.get(name) : own;
    });
  }

  /// The value of that variable, null if it is not set.
  @Nullable String get(String name) {
    return variables.apply(name);
  }

  /// The names of the variables in that text.
  static List<String> names(String text) {
    return VARIABLE.matcher(text).results().map(name -> name.group(1)).toList();
  }

  /// Whether each `${` of that text begins a variable, as in `${NAME}` or `${NAME:-default}`.
  static boolean canBeFilled(String text) {
    return !VARIABLE.matcher(text).replaceAll("").contains("${");
  }

  /// The text with the values of its variables; null if one is not set.
  ///
  /// @param unset receives the names of those that are not set
  @Nullable String fill(String text, Consumer<String> unset) {
    Matcher names = VARIABLE.matcher(text);
    StringBuilder out = new StringBuilder();
    boolean complete = true;
    while (names.find()) {
      String found = get(names.group(1));
      if ((found == null || found.isEmpty()) && names.group(2) != null) {
        names.appendReplacement(out, Matcher.quoteReplacement(names.group(2)));
      } else if (found == null || found.isEmpty()) {
        unset.accept(names.group(1));
        complete = false;
      } else {
        names.appendReplacement(out, Matcher.quoteReplacement(found));
      }
    }
    return complete ? names.appendTail(out).toString() : null;
  }

  /// The name of the class, since the values may be secret.
  @Override
  public String toString() {
    return "Environment";
  }

  /// Reads such a file; a separate class, since most agents have none.
  private static final class FileOfVariables {
    private static final Pattern LINE =
        Pattern.compile("(?:export\\s+)?([A-Za-z_][A-Za-z0-9_]*)\\s*=\\s*(.*)");
    private static final Pattern DOUBLE_QUOTED =
        Pattern.compile("\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"(?:\\s+#.*|\\s*)");
    private static final Pattern SINGLE_QUOTED = Pattern.compile("'([^']*)'(?:\\s+#.*|\\s*)");
    private static final Pattern COMMENT = Pattern.compile("(?:^|(?<=\\s))#.*");
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

    private static Map<String, String> read(Path file, FaultList faults) {
      Map<String, String> variables = new HashMap<>();
      warnIfExposed(file, faults);
      try {
        List<String> lines = TextFile.read(file).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
          if (!take(lines.get(i), variables)) {
            String sentence = "the line is not read: it must be NAME=VALUE, a comment or empty";
            faults.add(warning(file, i + 1, FaultClass.SYNTAX, sentence));
          }
        }
      } catch (TextFile.Unreadable e) {
        String sentence = "the file " + e.reason() + ", so that none of its variables is read";
        faults.add(warning(file, 0, FaultClass.UNREADABLE, sentence));
      }
      return variables;
    }

    /// The file may have keys.
    private static void warnIfExposed(Path file, FaultList faults) {
      try {
        if (new OwnerFile(file).isExposed()) {
          String sentence =
              "other users can read this file; make it yours alone with 'chmod 600 " + file + "'";
          faults.add(warning(file, 0, FaultClass.OPEN_TO_OTHERS, sentence));
        }
      } catch (IOException e) {
        // It cannot be read, which is reported then.
      }
    }

    private static ConfigException.Fault warning(
        Path file, int line, FaultClass kind, String sentence) {
      return new ConfigException.Fault(
          file.toString(), line, Math.min(line, 1), Severity.WARNING, kind, sentence);
    }

    /// Whether the line can be read; its variable, if any, is added.
    private static boolean take(String line, Map<String, String> variables) {
      if (line.isBlank() || line.strip().startsWith("#")) {
        return true;
      }
      Matcher parts = LINE.matcher(line.strip());
      String value = parts.matches() ? value(parts.group(2)) : null;
      if (value != null) {
        variables.put(parts.group(1), value);
      }
      return value != null;
    }

    /// The value without quotes and comment, null if a quote is not closed.
    private static @Nullable String value(String text) {
      if (text.startsWith("\"")) {
        Matcher quoted = DOUBLE_QUOTED.matcher(text);
        return quoted.matches() ? unescaped(quoted.group(1)) : null;
      }
      if (text.startsWith("'")) {
        Matcher quoted = SINGLE_QUOTED.matcher(text);
        return quoted.matches() ? quoted.group(1) : null;
      }
      return COMMENT.matcher(text).replaceFirst("").stripTrailing();
    }

    private static String unescaped(String text) {
      return ESCAPED
          .matcher(text)
          .replaceAll(escape ->
              Matcher.quoteReplacement(
                  switch (escape.group(1)) {
                    case "n" -> "\n";
                    case "r" -> "\r";
                    case "t" -> "\t";
                    case String other -> other;
                  }));
    }
  }
}
