package dev.switchboard.cli.chat;

import dev.switchboard.text.InvisibleCharacters;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.tool.ToolResult.Preview;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The change in a call's result, and the call that undoes it.
record Change(@Nullable Preview preview, @Nullable ToolCall undo) {
  private static final int RED = 31;
  private static final int GREEN = 32;
  private static final int MOST_LINES = 40;

  /// If more pairs of lines would be compared, the whole text counts as replaced.
  private static final int MOST_PAIRS = 1_000_000;

  /// The number of unchanged lines shown beside a change.
  private static final int BESIDE = 1;

  static Change of(ToolResult result) {
    return result.success() ? new Change(result.preview(), result.undo()) : new Change(null, null);
  }

  /// A line of a change.
  ///
  /// @param sign `-` for a removed line, `+` for an added one, a space for another
  record Line(char sign, String text) {
    /// The SGR number of the sign.
    int style() {
      return sign == '-' ? RED : sign == '+' ? GREEN : 0;
    }

    @Override
    public String toString() {
      return "    " + sign + " " + text;
    }
  }

  /// The lines of the change, and how to undo it; none if the result states no change.
  List<Line> lines(int width) {
    List<Line> shown = new ArrayList<>();
    List<Line> lines = preview == null ? List.of() : difference(preview);
    int most = Math.max(1, width - 7);
    lines.stream()
        .limit(MOST_LINES)
        .forEach(line -> shown.add(new Line(line.sign, Shown.fit(line.text, most))));
    if (lines.size() > MOST_LINES) {
      shown.add(new Line(' ', "... %d more lines".formatted(lines.size() - MOST_LINES)));
    }
    if (undo != null) {
      String call = undo.name() + " " + Shown.arguments(undo);
      shown.add(new Line(' ', "/undo takes it back: " + Shown.cut(call, Math.max(20, width - 30))));
    }
    return shown;
  }

  private static List<Line> difference(Preview preview) {
    List<String> after = textLines(preview.after());
    String before = preview.before();
    return before == null
        ? after.stream().map(text -> new Line(' ', text)).toList()
        : nearChanges(compared(textLines(before), after));
  }

  private static List<String> textLines(String text) {
    return text.lines().map(line -> InvisibleCharacters.line(line.replace("\t", "    "))).toList();
  }

  /// The lines of both texts; unchanged ones once.
  private static List<Line> compared(List<String> before, List<String> after) {
    int[][] common = common(before, after);
    List<Line> lines = new ArrayList<>();
    int from = 0;
    int to = 0;
    while (from < before.size() || to < after.size()) {
      boolean both = from < before.size() && to < after.size() && common.length > 0;
      if (both && before.get(from).equals(after.get(to))) {
        lines.add(new Line(' ', before.get(from++)));
        to++;
      } else if (from < before.size() && (!both || common[from + 1][to] >= common[from][to + 1])) {
        lines.add(new Line('-', before.get(from++)));
      } else {
        lines.add(new Line('+', after.get(to++)));
      }
    }
    return lines;
  }

  /// The length of the longest common subsequence after each pair of lines; empty if there are too
  /// many pairs.
  private static int[][] common(List<String> before, List<String> after) {
    if ((long) before.size() * after.size() > MOST_PAIRS) {
      return new int[0][];
    }
    int[][] common = new int[before.size() + 1][after.size() + 1];
    for (int i = before.size() - 1; i >= 0; i--) {
      for (int j = after.size() - 1; j >= 0; j--) {
        common[i][j] =
            before.get(i).equals(after.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    return common;
  }

  /// The changed lines and those beside them.
  private static List<Line> nearChanges(List<Line> lines) {
    boolean[] near = new boolean[lines.size()];
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).sign != ' ') {
        Arrays.fill(near, Math.max(0, i - BESIDE), Math.min(near.length, i + BESIDE + 1), true);
      }
    }
    List<Line> shown = new ArrayList<>();
    boolean gap = false;
    for (int i = 0; i < lines.size(); i++) {
      if (near[i] && gap && !shown.isEmpty()) {
        shown.add(new Line(' ', "..."));
      }
      gap = !near[i];
      if (near[i]) {
        shown.add(lines.get(i));
      }
    }
    return shown;
  }
}
