package dev.switchboard.toml;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseOptions;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.internal.TomlLexer;
import org.tomlj.internal.TomlParser;
import org.tomlj.internal.antlr.v4.runtime.BailErrorStrategy;
import org.tomlj.internal.antlr.v4.runtime.BaseErrorListener;
import org.tomlj.internal.antlr.v4.runtime.CharStreams;
import org.tomlj.internal.antlr.v4.runtime.CommonTokenStream;
import org.tomlj.internal.antlr.v4.runtime.RecognitionException;
import org.tomlj.internal.antlr.v4.runtime.Recognizer;
import org.tomlj.internal.antlr.v4.runtime.misc.ParseCancellationException;

/// A text that was read as TOML.
///
/// The parser takes a millisecond and more for each error, so a long text that is not TOML is read
/// only some lines beyond its first error.
///
/// @param document what was read, without the lines with errors
/// @param errors in the order of the text; empty if it is TOML
public record TomlText(TomlParseResult document, List<TomlParseError> errors) {
  private static final int SHORT = 16 * 1024;
  private static final int READ_ON = 4 * 1024;

  /// Reads that text.
  public static TomlText parse(String text) {
    int end = text.length() <= SHORT ? text.length() : end(text, firstError(text));
    TomlParseResult document = Toml.parse(text.substring(0, end));
    if (end == text.length()) {
      return new TomlText(document, document.errors());
    }
    // What spans the cut is an error only there.
    int lines = line(text, end);
    List<TomlParseError> errors =
        document.errors().stream().filter(error -> line(error.position()) < lines).toList();
    return new TomlText(document, errors.isEmpty() ? document.errors() : errors);
  }

  private static int line(@Nullable TomlPosition position) {
    return position == null ? 1 : position.line();
  }

  private static int line(String text, int end) {
    return 1 + (int) text.chars().limit(end).filter(letter -> letter == '\n').count();
  }

  /// The end of a line some characters beyond that line.
  private static int end(String text, int error) {
    if (error == 0) {
      return text.length();
    }
    int begin = 0;
    for (int line = 1; line < error; line++) {
      begin = text.indexOf('\n', begin) + 1;
    }
    int end = text.indexOf('\n', Math.min(text.length(), begin + READ_ON));
    return end < 0 ? text.length() : end;
  }

  /// The line of the first syntax error, 0 if there is none.
  private static int firstError(String text) {
    FirstError first = new FirstError();
    TomlLexer lexer = new TomlLexer(CharStreams.fromString(text));
    TomlParser parser = new TomlParser(new CommonTokenStream(lexer));
    lexer.removeErrorListeners();
    parser.removeErrorListeners();
    lexer.addErrorListener(first);
    parser.addErrorListener(first);
    parser.setErrorHandler(new BailErrorStrategy());
    parser.setMaxNestingDepth(TomlParseOptions.defaults().maxNestingDepth());
    try {
      var unused = parser.toml();
      return 0;
    } catch (ParseCancellationException e) {
      int line =
          e.getCause() instanceof RecognitionException cause
              ? cause.getOffendingToken().getLine()
              : first.line;
      return Math.max(1, line);
    }
  }

  private static final class FirstError extends BaseErrorListener {
    private int line;

    @Override
    public void syntaxError(
        Recognizer<?, ?> recognizer,
        @Nullable Object symbol,
        int at,
        int column,
        String message,
        @Nullable RecognitionException e) {
      line = at;
      throw new ParseCancellationException();
    }
  }
}
