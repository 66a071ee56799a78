package dev.switchboard.docs;

import java.util.List;
import java.util.regex.Pattern;

/// A fenced block of a page.
///
/// @param page the page's path, seen from the root
/// @param line of its first line of text, from 1
/// @param language the word after the fence, empty where there is none
/// @param continues whether the page marks it as going on with the block before it
record Block(String page, int line, String language, List<String> lines, boolean continues) {
  private static final Pattern FILE = Pattern.compile("^(?:package|import) .*");

  Block {
    lines = List.copyOf(lines);
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
