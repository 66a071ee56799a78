package dev.switchboard.cli;

import dev.switchboard.text.InvisibleCharacters;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Formats a table.
final class Table {
  private Table() {}

  /// The lines of these rows, which have equal numbers of cells; each row is one line, whatever its
  /// text.
  static List<String> of(List<List<String>> texts) {
    List<List<String>> rows =
        texts.stream().map(row -> row.stream().map(InvisibleCharacters::line).toList()).toList();
    List<Integer> widths =
        IntStream.range(0, rows.getFirst().size())
            .map(column -> rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0))
            .boxed()
            .toList();
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, List<Integer> widths) {
    return IntStream.range(0, row.size())
        .mapToObj(column -> pad(row.get(column), widths.get(column)))
        .collect(Collectors.joining("  "))
        .stripTrailing();
  }

  private static String pad(String cell, int width) {
    return cell + " ".repeat(width - cell.length());
  }
}
