package dev.switchboard;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/// The packages of the library from the bottom of the house to its roof, a row a storey.
record Layers(List<List<String>> rows) {
  /// The name of the package that has no name below `dev.switchboard`.
  static final String ROOT = "(root)";

  private static final String BASE = "dev.switchboard.";
  private static final Pattern LINE = Pattern.compile("^\\s+(\\S+)\\s+-> (\\S+)\\s.*$");

  /// One class that uses another, both with their packages.
  record Edge(String from, String to) {}

  /// All edges between the library's own classes in these folders or jars.
  static List<Edge> edges(List<Path> classes) {
    ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
    StringWriter out = new StringWriter();
    String own = Pattern.quote(BASE) + ".*";
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-verbose:class",
                "-filter:none",
                "--ignore-missing-deps",
                "--multi-release",
                "base",
                "-regex",
                own));
    classes.forEach(place -> arguments.add(place.toString()));
    int exit =
        jdeps.run(new PrintWriter(out), new PrintWriter(out), arguments.toArray(String[]::new));
    if (exit != 0) {
      throw new IllegalStateException("jdeps failed: " + out);
    }
    return out.toString()
        .lines()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .map(line -> new Edge(line.group(1), line.group(2)))
        .toList();
  }

  /// What is wrong with this edge, and the remedy.
  Optional<String> fault(Edge edge) {
    String from = packageOf(edge.from());
    String to = packageOf(edge.to());
    if (row(from) < 0 || row(to) < 0) {
      String unknown = row(from) < 0 ? from : to;
      return Optional.of(
          """
          %s uses %s: `%s` is not in the table of ArchitectureTest. Give it its row there, or move \
          the class.\
          """
              .formatted(edge.from(), edge.to(), unknown));
    }
    if (from.equals(to) || row(to) < row(from)) {
      return Optional.empty();
    }
    return Optional.of(
        """
        %s uses %s: the table of ArchitectureTest does not let `%s` use `%s`, which stands below or \
        beside it; packages could come to go in a circle. Turn the edge round, or move what both \
        need to a row above.\
        """
            .formatted(edge.from(), edge.to(), from, to));
  }

  private int row(String name) {
    for (int row = 0; row < rows.size(); row++) {
      if (rows.get(row).contains(name)) {
        return row;
      }
    }
    return -1;
  }

  private static String packageOf(String className) {
    String rest = className.substring(BASE.length());
    int dot = rest.lastIndexOf('.');
    return dot < 0 ? ROOT : rest.substring(0, dot);
  }
}
