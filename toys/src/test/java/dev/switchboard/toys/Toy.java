package dev.switchboard.toys;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A toy of a kind: the patch that adds it, and what the kind's row of CONTRIBUTING.md says.
///
/// @param edit the cell that names the files to edit
record Toy(Path patch, String edit) {
  /// The folder of the patches.
  static final Path FOLDER = Repository.file("toys");

  private static final int MOST = 6;

  // The compiler names them: a sealed type, and switches without default.
  private static final int MOST_OF_RULE_TYPES = 10;

  /// A row, whose first cell has a link to the patch.
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| \\[[^]]+]\\(toys/([\\w-]+\\.patch)\\)[^|]* \\| ([^|]*) \\| [^|]* \\|$");

  private static final Pattern NAME = Pattern.compile("`([^`]+)`");
  private static final Pattern EDITED = Pattern.compile("(?m)^--- a/(\\S+)$");
  private static final Pattern TEST = Pattern.compile("(?m)^\\+\\+\\+ b/\\S+/(\\w+Test)\\.java$");

  /// All toys, in the order of the rows.
  static List<Toy> all() {
    return ROW.matcher(text(Repository.file("CONTRIBUTING.md")))
        .results()
        .map(row -> new Toy(FOLDER.resolve(row.group(1)), row.group(2)))
        .toList();
  }

  /// The most existing files that adding one of the kind may take.
  int most() {
    return toString().equals("rule-type.patch") ? MOST_OF_RULE_TYPES : MOST;
  }

  /// The existing files that the patch edits.
  Set<String> edited() {
    return found(EDITED, text(patch)).collect(Collectors.toCollection(TreeSet::new));
  }

  /// The files that the row names: Java types by their names, others by their paths.
  ///
  /// @param files of the repository, as paths from its root
  Set<String> named(Set<String> files) {
    return found(NAME, edit)
        .map(name -> file(name, files))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String file(String name, Set<String> files) {
    String type = "/" + name + ".java";
    List<String> found =
        files.stream().filter(file -> file.equals(name) || file.endsWith(type)).toList();
    return found.size() == 1 ? found.getFirst() : name + " is not one file: " + found;
  }

  /// The names of the tests that the patch adds or edits.
  Stream<String> tests() {
    return found(TEST, text(patch));
  }

  private static Stream<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(1));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return String.valueOf(patch.getFileName());
  }
}
