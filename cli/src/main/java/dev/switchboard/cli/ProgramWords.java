package dev.switchboard.cli;

import java.util.Map;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Keeps the options of a program on the command line apart from those of the command: what follows
/// the program's name is the program's. After a URL or a file the command's options continue.
final class ProgramWords implements IParameterPreprocessor {
  private static final String END_OF_OPTIONS = "--";

  @Override
  @SuppressWarnings("JdkObsolete") // picocli's own type
  public boolean preprocess(
      Stack<String> words,
      CommandSpec command,
      @Nullable ArgSpec argument,
      Map<String, Object> info) {
    // The first word is the last element.
    int at = firstArgument(words, command, words.size() - 1);
    if (at >= 0 && command.name().equals("import")) {
      at = words.get(at).equals("mcp") ? firstArgument(words, command, at - 1) : -1;
    }
    if (at >= 0 && isProgram(words.get(at))) {
      words.add(at + 1, END_OF_OPTIONS);
    }
    return false;
  }

  /// The index of the first word from there on that is neither an option nor its value; -1 if there
  /// is none.
  private static int firstArgument(Stack<String> words, CommandSpec command, int from) {
    for (int at = from; at >= 0; at--) {
      String word = words.get(at);
      if (!word.startsWith("-") || word.equals(END_OF_OPTIONS)) {
        return word.equals(END_OF_OPTIONS) ? -1 : at;
      }
      OptionSpec option = command.optionsMap().get(word);
      if (option != null && option.arity().min() > 0) {
        at--;
      }
    }
    return -1;
  }

  private static boolean isProgram(String word) {
    return !word.contains("://") && !word.endsWith(".toml") && !word.endsWith(".json");
  }
}
