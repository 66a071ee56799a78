package dev.switchboard.cli;

import dev.switchboard.check.Closest;
import dev.switchboard.execution.StoreException;
import dev.switchboard.memory.MemoryException;
import dev.switchboard.server.access.TokensException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Prints the error of a command: one sentence, and the stack trace with `--debug`.
final class Errors {
  private static final int ALIKE = 4; // letters at the beginning

  private final RootCommand root;

  Errors(RootCommand root) {
    this.root = root;
  }

  int usage(ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    String fault =
        e instanceof UnmatchedArgumentException unmatched ? unmatched(unmatched) : plain(e);
    String sentence =
        "%s; see '%s --help'.".formatted(fault, line.getCommandSpec().qualifiedName());
    say(line, sentence, e);
    return line.getCommandSpec().exitCodeOnInvalidInput();
  }

  int execution(Exception e, CommandLine line, ParseResult parsed) {
    if (e instanceof Failure failure) {
      say(line, failure.sentence(), e);
      return failure.exitCode();
    }
    if (e instanceof StoreException || e instanceof MemoryException) {
      say(line, String.valueOf(e.getMessage()), e);
      return line.getCommandSpec().exitCodeOnExecutionException();
    }
    if (e instanceof TokensException) {
      say(line, String.valueOf(e.getMessage()), e);
      return line.getCommandSpec().exitCodeOnInvalidInput();
    }
    say(line, "Unexpected %s; '--debug' shows where.".formatted(e), e);
    return line.getCommandSpec().exitCodeOnExecutionException();
  }

  /// Without the types of Java.
  private static String plain(ParameterException e) {
    return String.valueOf(e.getMessage())
        .replaceAll(" is not an? (?:int|long|short|byte|Integer|Long)$", " is not a whole number")
        .replaceAll(" is not an? (?:double|float|Double|Float)$", " is not a number");
  }

  private static String unmatched(UnmatchedArgumentException e) {
    String first = e.getUnmatched().getFirst();
    String kind = e.getCommandLine().getSubcommands().isEmpty() ? "argument" : "command";
    String fault = "Unknown %s: '%s'".formatted(e.isUnknownOption() ? "option" : kind, first);
    List<String> guesses =
        e.getSuggestions().stream().filter(guess -> isNear(first, guess)).toList();
    return guesses.isEmpty()
        ? fault
        : fault + " (did you mean " + String.join(", ", guesses) + "?)";
  }

  /// Whether that name may be meant: picocli also guesses where nothing is alike.
  private static boolean isNear(String name, String guess) {
    return !Closest.to(name, List.of(guess)).isEmpty()
        || name.length() > ALIKE && guess.startsWith(name.substring(0, ALIKE));
  }

  private void say(CommandLine line, String sentence, Exception e) {
    PrintWriter err = line.getErr();
    err.println("switchboard: " + sentence);
    if (root.debug()) {
      e.printStackTrace(err);
    }
    err.flush();
  }
}
