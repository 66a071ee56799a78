package dev.switchboard;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds top-level types of one name in the modules that users get.
final class TypeNames {
  private static final Pattern DECLARATION =
      Pattern.compile(
          "^(?:(?:public|abstract|final|sealed|non-sealed|strictfp)\\s+)*"
              + "(?:class|interface|@interface|record|enum)\\s+(\\w+)");

  /// Modules with main code that no user gets.
  private static final List<String> OURS = List.of("bench", "harness");

  private TypeNames() {}

  /// Each type whose name an earlier file has, with both files and the remedy.
  static List<String> faults(List<JavaFile> files) {
    Map<String, Path> firsts = new TreeMap<>();
    List<String> faults = new ArrayList<>();
    for (JavaFile file : files.stream().filter(TypeNames::isShipped).toList()) {
      for (String name : names(file)) {
        Path first = firsts.putIfAbsent(name, file.path());
        if (first != null) {
          faults.add(
              """
              `%s` is a type of %s and of %s: rename the one that users do not import by what it is.\
              """
                  .formatted(name, first, file.path()));
        }
      }
    }
    return faults;
  }

  private static List<String> names(JavaFile file) {
    return file.lines().stream()
        .map(DECLARATION::matcher)
        .filter(Matcher::find)
        .map(declared -> declared.group(1))
        .toList();
  }

  private static boolean isShipped(JavaFile file) {
    String path = file.path().toString().replace('\\', '/');
    return path.contains("/src/main/java/") && OURS.stream().noneMatch(file.path()::startsWith);
  }
}
