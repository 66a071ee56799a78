package dev.switchboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What the module shows of itself: every public type of an exported package is a promise.
class ModuleTest {
  /// To be lowered with the number of them, never raised.
  private static final int MOST_TYPES = 102;

  private static final Pattern EXPORT = Pattern.compile("(?m)^ *exports ([\\w.]+);$");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?(dev\\.switchboard(?:\\.[a-z0-9_]+)*)\\.[A-Z]");
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

  /// What a module of the library imports is exported to it; otherwise it fails on the module path
  /// alone.
  @Test
  void exportsToOtherModulesWhatTheyImport() throws IOException {
    String core = Files.readString(Path.of("src/module/module-info.java"));
    List<String> missing = new ArrayList<>();
    for (String module :
        List.of("mcp", "phone", "phone-testkit", "restate", "server", "testkit", "wasm", "cli")) {
      String name =
          "dev.switchboard." + module.replace("-testkit", ".testing").replace("testkit", "testing");
      for (String imported : imports(Path.of("..", module, "src/main/java"))) {
        boolean here = Files.isDirectory(Path.of("src/main/java", imported.split("\\.")));
        if (here && !isExported(core, imported, name)) {
          missing.add("exports " + imported + " to " + name);
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  private static boolean isExported(String module, String exported, String to) {
    return Pattern.compile("exports " + Pattern.quote(exported) + "( to[^;]*)?;")
        .matcher(module)
        .results()
        .anyMatch(export ->
            export.group(1) == null
                || Pattern.compile(Pattern.quote(to) + "\\s*(,|$)")
                    .matcher(export.group(1))
                    .find());
  }

  private static Set<String> imports(Path sources) throws IOException {
    Set<String> packages = new TreeSet<>();
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        IMPORT
            .matcher(Files.readString(file))
            .results()
            .forEach(found -> packages.add(found.group(1)));
      }
    }
    return packages;
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
