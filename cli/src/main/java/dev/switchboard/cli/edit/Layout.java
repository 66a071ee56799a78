package dev.switchboard.cli.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Where the agent and its rules stand in a file's text.
record Layout(String text, Lines lines, List<Statement.Section> sections) {
  static final List<String> AGENT = List.of("agent");
  static final List<String> RULES = List.of("agent", "tool_rules");

  static Layout of(String text) {
    List<Statement.Section> sections = new ArrayList<>();
    List<Statement> current = new ArrayList<>();
    List<String> path = List.of();
    boolean element = false;
    for (Statement statement : TomlScan.statements(text)) {
      if (statement instanceof Statement.Header header) {
        close(sections, path, element, current);
        current = new ArrayList<>();
        path = header.path();
        element = header.element();
      }
      current.add(statement);
    }
    close(sections, path, element, current);
    return new Layout(text, new Lines(text), sections);
  }

  private static void close(
      List<Statement.Section> sections, List<String> path, boolean element, List<Statement> all) {
    if (!all.isEmpty()) {
      sections.add(new Statement.Section(path, element, all));
    }
  }

  /// The sections of each rule that has a header of its own, with those of the tables inside it.
  List<List<Statement.Section>> tables() {
    List<List<Statement.Section>> rules = new ArrayList<>();
    for (Statement.Section section : sections) {
      if (section.element() && section.path().equals(RULES)) {
        rules.add(new ArrayList<>(List.of(section)));
      } else if (!rules.isEmpty() && section.isBelow(RULES)) {
        rules.getLast().add(section);
      }
    }
    return rules;
  }

  /// The rules as a list in brackets, null where there is none.
  Piece.@Nullable Items list() {
    for (Statement.Section section : sections) {
      for (Statement statement : section.statements()) {
        if (statement instanceof Statement.Key key
            && at(section.path(key), key.value(), RULES) instanceof Piece.Items items) {
          return items;
        }
      }
    }
    return null;
  }

  /// The agent as a table in braces, null where it is none.
  Piece.@Nullable Members agent() {
    for (Statement.Section section : sections) {
      for (Statement statement : section.statements()) {
        if (statement instanceof Statement.Key key
            && section.path(key).equals(AGENT)
            && key.value() instanceof Piece.Members members) {
          return members;
        }
      }
    }
    return null;
  }

  /// The last section of the rules, or else of the agent, or else of the tables inside it; null
  /// where there is none of them.
  Statement.@Nullable Section lastOfAgent() {
    Statement.Section last =
        last(section -> section.path().equals(RULES) || section.isBelow(RULES));
    last = last == null ? last(section -> section.path().equals(AGENT)) : last;
    return last == null ? last(section -> section.isBelow(AGENT)) : last;
  }

  private Statement.@Nullable Section last(Predicate<Statement.Section> wanted) {
    return sections.stream().filter(wanted).reduce((earlier, later) -> later).orElse(null);
  }

  /// The last key such as `agent.name` above all headers, null where there is none.
  Statement.@Nullable Key lastDotted() {
    return sections.stream()
        .filter(section -> section.path().isEmpty())
        .flatMap(section -> section.statements().stream())
        .filter(Statement.Key.class::isInstance)
        .map(Statement.Key.class::cast)
        .filter(key -> key.path().getFirst().equals("agent"))
        .reduce((earlier, later) -> later)
        .orElse(null);
  }

  private static @Nullable Piece at(List<String> path, Piece value, List<String> wanted) {
    if (path.equals(wanted)) {
      return value;
    }
    if (!(value instanceof Piece.Members table)
        || path.size() >= wanted.size()
        || !wanted.subList(0, path.size()).equals(path)) {
      return null;
    }
    List<String> rest = wanted.subList(path.size(), wanted.size());
    return table.members().stream()
        .filter(member -> member.path().equals(rest))
        .map(Piece.Member::value)
        .findFirst()
        .orElse(null);
  }

  /// The offset after the last character of the statement before that one, 0 where it is the first.
  int before(int start) {
    return sections.stream()
        .flatMap(section -> section.statements().stream())
        .mapToInt(Statement::end)
        .filter(end -> end <= start)
        .max()
        .orElse(0);
  }
}
