package dev.switchboard.cli.edit;

import java.util.ArrayList;
import java.util.List;
import org.tomlj.Toml;

/// A walk over a TOML text that is known to be valid: its statements and where they stand, which a
/// parser does not tell.
final class TomlScan {
  private final String text;
  private int at;

  private TomlScan(String text) {
    this.text = text;
  }

  static List<Statement> statements(String text) {
    TomlScan scan = new TomlScan(text);
    List<Statement> statements = new ArrayList<>();
    for (scan.skip(); scan.at < text.length(); scan.skip()) {
      statements.add(scan.peek() == '[' ? scan.header() : scan.key());
    }
    return statements;
  }

  /// The offset of the next character that is neither blank nor part of a comment.
  static int next(String text, int from) {
    TomlScan scan = new TomlScan(text);
    scan.at = from;
    scan.skip();
    return scan.at;
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : '\n';
  }

  private boolean take(char wanted) {
    boolean there = at < text.length() && text.charAt(at) == wanted;
    at += there ? 1 : 0;
    return there;
  }

  private void skip() {
    while (at < text.length() && (Character.isWhitespace(peek()) || peek() == '#')) {
      if (peek() == '#') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else {
        at++;
      }
    }
  }

  private Statement header() {
    int start = at++;
    boolean element = take('[');
    List<String> path = path();
    at += element ? 2 : 1;
    return new Statement.Header(start, at, path, element);
  }

  private Statement key() {
    int start = at;
    List<String> path = path();
    return new Statement.Key(start, valueOf(path).value(), path);
  }

  private Piece.Member valueOf(List<String> path) {
    at++;
    skip();
    return new Piece.Member(path, value());
  }

  private List<String> path() {
    List<String> path = new ArrayList<>();
    do {
      skip();
      path.add(word());
      skip();
    } while (take('.'));
    return path;
  }

  private String word() {
    int start = at;
    if (peek() == '"' || peek() == '\'') {
      string();
      return String.valueOf(Toml.parse("key = " + text.substring(start, at)).getString("key"));
    }
    while (Character.isLetterOrDigit(peek()) || peek() == '_' || peek() == '-') {
      at++;
    }
    return text.substring(start, at);
  }

  private Piece value() {
    int start = at;
    return switch (peek()) {
      case '[' -> items();
      case '{' -> members();
      case '"', '\'' -> {
        string();
        yield new Piece.Scalar(start, at);
      }
      default -> scalar();
    };
  }

  private Piece items() {
    int start = at++;
    List<Piece> items = new ArrayList<>();
    for (skip(); !take(']'); skip()) {
      items.add(value());
      skip();
      take(',');
    }
    return new Piece.Items(start, at, items);
  }

  private Piece members() {
    int start = at++;
    List<Piece.Member> members = new ArrayList<>();
    for (skip(); !take('}'); skip()) {
      members.add(valueOf(path()));
      skip();
      take(',');
    }
    return new Piece.Members(start, at, members);
  }

  private Piece scalar() {
    int start = at;
    while (at < text.length() && ",]}#\n".indexOf(peek()) < 0) {
      at++;
    }
    while (Character.isWhitespace(text.charAt(at - 1))) {
      at--;
    }
    return new Piece.Scalar(start, at);
  }

  private void string() {
    String quote = text.substring(at, at + 1);
    String end = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
    at += end.length();
    while (!text.startsWith(end, at)) {
      at += quote.equals("\"") && peek() == '\\' ? 2 : 1;
    }
    at += end.length();
    // A text in three quotes may itself end in one or two.
    for (int more = 0; more < 2 && end.length() == 3 && text.startsWith(quote, at); more++) {
      at++;
    }
  }
}
