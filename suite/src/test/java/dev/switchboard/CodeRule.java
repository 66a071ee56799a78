package dev.switchboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// A rule about lines of code, from which named files are excepted, each for a reason.
///
/// @param covers the files that it is about
/// @param name the name of a file among the exceptions
/// @param refused what is found, and the remedy
/// @param exceptions files that may, and why
record CodeRule(
    Predicate<JavaFile> covers,
    Function<JavaFile, String> name,
    Map<Pattern, String> refused,
    Map<String, String> exceptions) {
  private static final Pattern COMMENT = Pattern.compile("//.*$");

  /// What is wrong with those files, with the place and the remedy.
  List<String> faults(List<JavaFile> files) {
    return files.stream()
        .filter(file -> covers.test(file) && !exceptions.containsKey(name.apply(file)))
        .flatMap(file -> found(file).stream())
        .toList();
  }

  /// The exceptions that no file needs any more.
  List<String> unneeded(List<JavaFile> files) {
    List<String> needed =
        files.stream()
            .filter(file -> covers.test(file) && !found(file).isEmpty())
            .map(name)
            .toList();
    return exceptions.keySet().stream().filter(name -> !needed.contains(name)).toList();
  }

  private List<String> found(JavaFile file) {
    List<String> faults = new ArrayList<>();
    for (int line = 0; line < file.lines().size(); line++) {
      String code = COMMENT.matcher(file.lines().get(line)).replaceAll("");
      for (Map.Entry<Pattern, String> fault : refused.entrySet()) {
        if (fault.getKey().matcher(code).find()) {
          faults.add("%s:%d %s.".formatted(file.path(), line + 1, fault.getValue()));
        }
      }
    }
    return faults;
  }
}
