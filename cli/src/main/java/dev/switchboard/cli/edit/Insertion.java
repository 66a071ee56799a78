package dev.switchboard.cli.edit;

import dev.switchboard.rule.ToolRule;
import java.util.List;

/// The writing of a rule into a file's text, behind the rules that stand there.
final class Insertion {
  private final Layout layout;
  private final String text;
  private final Lines lines;

  private Insertion(Layout layout) {
    this.layout = layout;
    this.text = layout.text();
    this.lines = layout.lines();
  }

  /// The text with the rule in it.
  static String of(String text, ToolRule rule) {
    return Change.apply(text, new Insertion(Layout.of(text)).changes(rule));
  }

  private List<Change> changes(ToolRule rule) {
    Piece.Items list = layout.list();
    Piece.Members agent = layout.agent();
    if (list != null) {
      return list.items().isEmpty()
          ? List.of(Change.insert(list.start() + 1, RuleText.inline(rule)))
          : behind(list, RuleText.inline(rule));
    }
    if (agent != null) {
      return List.of(member(agent, "tool_rules = [" + RuleText.inline(rule) + "]"));
    }
    Statement.Key dotted = layout.tables().isEmpty() ? layout.lastDotted() : null;
    return dotted == null
        ? List.of(table(rule))
        : List.of(line(dotted, "agent.tool_rules = [" + RuleText.inline(rule) + "]"));
  }

  private List<Change> behind(Piece.Items list, String item) {
    Piece last = list.items().getLast();
    int comma = TomlScan.next(text, last.end());
    boolean closed = text.charAt(comma) == ',';
    int behind = lines.next(closed ? comma : last.end());
    if (!lines.begins(last.start()) || behind > list.end() - 1) {
      return List.of(Change.insert(last.end(), ", " + item));
    }
    String indent = text.substring(lines.start(last.start()), last.start());
    String ending = lines.ending(behind);
    return closed
        ? List.of(Change.insert(behind, indent + item + "," + ending))
        : List.of(Change.insert(last.end(), ","), Change.insert(behind, indent + item + ending));
  }

  private static Change member(Piece.Members table, String member) {
    return table.members().isEmpty()
        ? Change.insert(table.start() + 1, " " + member + " ")
        : Change.insert(table.members().getLast().value().end(), ", " + member);
  }

  /// A header cannot add to a table that dotted keys have made.
  private Change line(Statement.Key dotted, String line) {
    int at = lines.next(dotted.end());
    String ending = lines.ending(at);
    boolean open = !text.substring(0, at).endsWith("\n");
    return Change.insert(at, open ? ending + line : line + ending);
  }

  private Change table(ToolRule rule) {
    int at = place();
    String ending = lines.ending(at);
    String table = String.join(ending, RuleText.table(rule));
    if (at == 0) {
      return Change.insert(at, table + ending);
    }
    boolean open = !text.substring(0, at).endsWith("\n");
    return Change.insert(at, open ? ending + ending + table : ending + table + ending);
  }

  private int place() {
    Statement.Section last = layout.lastOfAgent();
    return last == null ? text.length() : below(last.end());
  }

  /// The line after that statement and the comments right below it, unless these belong to what
  /// follows them.
  private int below(int end) {
    int line = lines.next(end);
    int run = line;
    while (run < text.length() && lines.isComment(run)) {
      run = lines.next(run);
    }
    return run == text.length() || lines.isBlank(run) ? run : line;
  }
}
