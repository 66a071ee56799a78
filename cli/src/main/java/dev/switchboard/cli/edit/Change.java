package dev.switchboard.cli.edit;

import java.util.Comparator;
import java.util.List;

/// A stretch of a text and what stands there instead.
record Change(int start, int end, String text) {
  static Change insert(int at, String text) {
    return new Change(at, at, text);
  }

  static Change remove(int start, int end) {
    return new Change(start, end, "");
  }

  /// The text after these changes; of stretches that overlap the earlier one ends where the later
  /// begins.
  static String apply(String text, List<Change> changes) {
    StringBuilder out = new StringBuilder(text);
    int least = text.length();
    for (Change change :
        changes.stream().sorted(Comparator.comparingInt(Change::start).reversed()).toList()) {
      out.replace(change.start, Math.min(change.end, least), change.text);
      least = change.start;
    }
    return out.toString();
  }
}
