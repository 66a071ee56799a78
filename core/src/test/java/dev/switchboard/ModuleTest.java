package dev.switchboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What the module shows of itself: every public type of an exported package is a promise.
class ModuleTest {
  /// To be lowered with the number of them, never raised.
  private static final int MOST_TYPES = 100;

  private static final Pattern EXPORT = Pattern.compile("(?m)^ *exports ([\\w.]+);$");
  private static final Pattern PUBLIC =
      Pattern.compile(
          "(?m)^public (?:(?:sealed|non-sealed|final|abstract) )*"
              + "(?:class|interface|record|enum|@interface) (\\w+)");

  @Test
  void exportsFewTypes() throws IOException {
    assertThat(publicTypes())
        .as("public types of exported packages")
        .hasSizeLessThanOrEqualTo(MOST_TYPES);
  }

  @Test
  void doesNotExportWhatHasNoUser() throws IOException {
    assertThat(exports())
        .contains("dev.switchboard", "dev.switchboard.handler")
        .doesNotContain(
            "dev.switchboard.check",
            "dev.switchboard.schema",
            "dev.switchboard.ruling",
            "dev.switchboard.state",
            "dev.switchboard.builtin",
            "dev.switchboard.loop");
  }

  private static List<String> exports() throws IOException {
    String module = Files.readString(Path.of("src/module/module-info.java"));
    return EXPORT.matcher(module).results().map(export -> export.group(1)).toList();
  }

  private static List<String> publicTypes() throws IOException {
    List<String> types = new java.util.ArrayList<>();
    for (String name : exports()) {
      try (Stream<Path> files = Files.list(Path.of("src/main/java", name.split("\\.")))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          PUBLIC
              .matcher(Files.readString(file))
              .results()
              .map((MatchResult found) -> name + '.' + found.group(1))
              .forEach(types::add);
        }
      }
    }
    return types;
  }
}
