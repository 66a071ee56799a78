package dev.switchboard.docs;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A fenced block of a page.
///
/// @param page the page's path, seen from the root
/// @param line of its first line of text, from 1
/// @param language the word after the fence, empty where there is none
/// @param marks what the page says of it in comments right before it
record Block(String page, int line, String language, List<String> lines, List<String> marks) {
  private static final Pattern SAVED = Pattern.compile("<!-- file: (\\S+) -->");
  private static final Pattern FILE = Pattern.compile("^(?:package|import) .*");

  Block {
    lines = List.copyOf(lines);
    marks = List.copyOf(marks);
  }

  /// Whether it goes on with the block before it.
  boolean continues() {
    return marks.contains("<!-- continues -->");
  }

  /// Whether it shows the code of another library, which is not compiled.
  boolean theirs() {
    return marks.contains("<!-- theirs -->");
  }

  /// Whether another module holds it to what it shows.
  boolean ofOtherModule() {
    return Stream.of("server", "phone", "mcp", "wasm", "restate")
        .anyMatch(module -> marks.contains("<!-- " + module + " -->"));
  }

  /// The resource that it is to be saved as, null for none.
  @Nullable String file() {
    return marks.stream()
        .map(SAVED::matcher)
        .filter(Matcher::matches)
        .map(mark -> mark.group(1))
        .findFirst()
        .orElse(null);
  }

  boolean is(String word) {
    return language.equals(word);
  }

  /// Whether it is a whole Java file: it has a package or imports of its own.
  boolean isFile() {
    return lines.stream().anyMatch(line -> FILE.matcher(line).matches());
  }

  String text() {
    return String.join("\n", lines) + "\n";
  }

  String place() {
    return page + ":" + line;
  }
}
