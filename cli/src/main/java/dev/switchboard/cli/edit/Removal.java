package dev.switchboard.cli.edit;

import java.util.ArrayList;
import java.util.List;

/// The taking of a rule out of a file's text, with the comments right above it and one blank line.
final class Removal {
  private final Layout layout;
  private final String text;
  private final Lines lines;

  private Removal(Layout layout) {
    this.layout = layout;
    this.text = layout.text();
    this.lines = layout.lines();
  }

  /// The text without the rule of that index.
  static String of(String text, int index) {
    Removal removal = new Removal(Layout.of(text));
    Piece.Items list = removal.layout.list();
    return Change.apply(
        text,
        list == null
            ? removal.layout.tables().get(index).stream().map(removal::section).toList()
            : removal.item(list, index));
  }

  private Change section(Statement.Section section) {
    int before = layout.before(section.start());
    int least = before == 0 ? 0 : lines.next(before);
    int start = lines.withComments(lines.start(section.start()), least);
    int end = lines.next(section.end());
    if (start > least && lines.isBlank(lines.start(start - 1))) {
      start = lines.start(start - 1);
    } else if (start == 0 && lines.isBlank(end)) {
      end = lines.next(end);
    }
    boolean open = end == text.length() && !text.endsWith("\n");
    return Change.remove(open ? lines.withoutEnding(start) : start, end);
  }

  private List<Change> item(Piece.Items list, int index) {
    Piece item = list.items().get(index);
    int comma = TomlScan.next(text, item.end());
    boolean closed = text.charAt(comma) == ',';
    int end = closed ? comma + 1 : item.end();
    int before = index == 0 ? list.start() + 1 : list.items().get(index - 1).end();
    if (lines.begins(item.start()) && lines.ends(end) && lines.next(end) < list.end()) {
      List<Change> changes = new ArrayList<>();
      int line = lines.start(item.start());
      changes.add(Change.remove(lines.withComments(line, lines.next(before)), lines.next(end)));
      if (!closed && index > 0) {
        changes.add(commaAfter(before));
      }
      return changes;
    }
    if (closed) {
      return List.of(Change.remove(item.start(), withBlanks(end)));
    }
    if (index > 0 && text.substring(before, item.start()).indexOf('\n') < 0) {
      return List.of(Change.remove(before, item.end()));
    }
    Change whole = Change.remove(item.start(), item.end());
    return index == 0 ? List.of(whole) : List.of(commaAfter(before), whole);
  }

  private Change commaAfter(int offset) {
    int comma = TomlScan.next(text, offset);
    return Change.remove(comma, comma + 1);
  }

  private int withBlanks(int offset) {
    int end = offset;
    while (end < text.length() && (text.charAt(end) == ' ' || text.charAt(end) == '\t')) {
      end++;
    }
    return end;
  }
}
