package dev.switchboard.memory;

import dev.switchboard.memory.MemoryException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Edits of a block's value: pure functions that refuse to exceed the block's limit.
final class Editing {
  private static final int MOST_LINES_TOLD = 10;

  private Editing() {}

  /// The value with that content appended.
  static String append(Block block, String content) {
    if (content.isEmpty()) {
      throw new MemoryException(Kind.INVALID, "There is nothing to append.");
    }
    return checked(block, block.value() + content);
  }

  /// The value with one text replaced by another, which must occur once unless all are replaced.
  static String replace(Block block, String old, String with, boolean all) {
    if (old.isEmpty()) {
      throw new MemoryException(Kind.INVALID, "The old text must not be empty.");
    }
    String value = block.value();
    int first = value.indexOf(old);
    if (first < 0) {
      throw new MemoryException(
          Kind.NO_MATCH,
          "The old text was not found in block '%s'.%s"
              .formatted(block.label(), ClosestLine.hint(value, old)));
    }
    if (!all && value.indexOf(old, first + 1) >= 0) {
      throw new MemoryException(Kind.NOT_UNIQUE, notUnique(block, old));
    }
    // Checked first: replacing a long text in many places could exhaust the memory.
    checkLength(block, block.length() + count(value, old) * ((long) length(with) - length(old)));
    return value.replace(old, with);
  }

  private static long count(String value, String old) {
    long count = 0;
    for (int at = value.indexOf(old); at >= 0; at = value.indexOf(old, at + old.length())) {
      count++;
    }
    return count;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static String notUnique(Block block, String old) {
    List<Integer> all = lines(block.value(), old);
    List<Integer> lines = all.stream().distinct().toList();
    String numbers =
        lines.stream()
            .limit(MOST_LINES_TOLD)
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    return "The old text occurs %d times in block '%s' (line%s %s%s): quote more of it, or replace all."
        .formatted(
            all.size(),
            block.label(),
            lines.size() == 1 ? "" : "s",
            numbers,
            lines.size() > MOST_LINES_TOLD ? ", ..." : "");
  }

  /// The line number of each occurrence.
  private static List<Integer> lines(String value, String old) {
    List<Integer> lines = new ArrayList<>();
    int line = 1;
    int seen = 0;
    for (int at = value.indexOf(old); at >= 0; at = value.indexOf(old, at + 1)) {
      line += (int) value.substring(seen, at).chars().filter(c -> c == '\n').count();
      seen = at;
      lines.add(line);
    }
    return lines;
  }

  /// The value, if it is within the block's limit or shorter than before.
  static String checked(Block block, String value) {
    checkLength(block, length(value));
    return value;
  }

  private static void checkLength(Block block, long length) {
    if (length > block.charLimit() && length >= block.length()) {
      throw new MemoryException(
          Kind.LIMIT_EXCEEDED,
          "Block '%s' is limited to %d characters: it has %d now and would have %d."
              .formatted(block.label(), block.charLimit(), block.length(), length));
    }
  }
}
