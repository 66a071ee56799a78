package dev.switchboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What the modules of the library show of themselves: every public type of an exported package is
/// a promise.
class ModuleTest {
  /// To be lowered with the number of them, never raised.
  private static final int MOST_TYPES = 101;

  private static final Set<String> TESTS = Set.of("bench", "contracts", "harness");

  private static final Pattern NAME = Pattern.compile("(?m)^(?:open )?module ([\\w.]+) \\{$");
  private static final Pattern EXPORT = Pattern.compile("(?m)^ *exports ([\\w.]+)( to[^;]*)?;$");
  private static final Pattern AUTOMATIC =
      Pattern.compile("<module\\.name>([\\w.]+)</module\\.name>");
  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?(dev\\.switchboard(?:\\.[a-z0-9_]+)*)\\.[A-Z]");
  private static final Pattern PUBLIC =
      Pattern.compile(
          "(?m)^public (?:(?:sealed|non-sealed|final|abstract) )*"
              + "(?:class|interface|record|enum|@interface) (\\w+)");

  /// A module of this repository.
  ///
  /// @param exports the packages that it exports, each with the modules that alone see it; to all
  ///   if there are none
  private record Described(String folder, String name, Map<String, Set<String>> exports) {
    /// All modules with main code, those without a descriptor as well.
    static List<Described> all() throws IOException {
      List<Described> all = new ArrayList<>();
      try (Stream<Path> folders = Files.list(Repository.root())) {
        for (Path folder : folders.sorted().toList()) {
          Path descriptor = folder.resolve("src/module/module-info.java");
          if (Files.exists(descriptor)) {
            all.add(of(folder, Files.readString(descriptor)));
          } else if (Files.isDirectory(folder.resolve("src/main/java"))) {
            all.add(
                new Described(
                    folder.getFileName().toString(),
                    first(AUTOMATIC, Files.readString(folder.resolve("pom.xml"))),
                    Map.of()));
          }
        }
      }
      return all;
    }

    private static Described of(Path folder, String descriptor) {
      Map<String, Set<String>> exports = new TreeMap<>();
      EXPORT
          .matcher(descriptor)
          .results()
          .forEach(export -> exports.put(export.group(1), targets(export.group(2))));
      return new Described(folder.getFileName().toString(), first(NAME, descriptor), exports);
    }

    private static Set<String> targets(@Nullable String to) {
      return to == null ? Set.of() : Set.of(to.replaceFirst("to", "").strip().split("\\s*,\\s*"));
    }

    private static String first(Pattern pattern, String text) {
      return pattern.matcher(text).results().findFirst().orElseThrow().group(1);
    }

    /// Whether this module has classes in that package.
    boolean has(String packageName, List<JavaFile> files) {
      Path home = Path.of(folder, "src/main/java", packageName.replace('.', '/'));
      return files.stream().anyMatch(file -> home.equals(file.path().getParent()));
    }

    boolean exports(String packageName, String to) {
      Set<String> targets = exports.get(packageName);
      return targets != null && (targets.isEmpty() || targets.contains(to));
    }

    /// The packages of the library that the main code of this module imports.
    Set<String> imports(List<JavaFile> files) {
      return files.stream()
          .filter(file -> file.path().startsWith(Path.of(folder, "src/main/java")))
          .flatMap(file -> file.lines().stream())
          .flatMap(line -> IMPORT.matcher(line).results())
          .map(found -> found.group(1))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void exportsFewTypes() throws IOException {
    assertThat(publicTypes())
        .as("public types of exported packages")
        .hasSizeBetween(50, MOST_TYPES);
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

  /// What a module imports is exported to it; otherwise it fails on the module path alone.
  @Test
  void exportsToOtherModulesWhatTheyImport() throws IOException {
    List<Described> modules = Described.all();
    List<JavaFile> files = JavaFile.all();
    List<String> missing = new ArrayList<>();
    for (Described user : modules) {
      for (String imported : user.imports(files)) {
        for (Described owner : modules) {
          if (LibraryModules.FOLDERS.contains(owner.folder())
              && !TESTS.contains(user.folder())
              && owner != user
              && owner.has(imported, files)
              && !owner.exports(imported, user.name())) {
            missing.add(owner.folder() + ": exports " + imported + " to " + user.name());
          }
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void exportsOnlyToModulesThatAreHere() throws IOException {
    List<Described> modules = Described.all();
    Set<String> names = modules.stream().map(Described::name).collect(Collectors.toSet());

    assertThat(
            modules.stream()
                .flatMap(module -> module.exports().values().stream().flatMap(Set::stream)))
        .isNotEmpty()
        .isSubsetOf(names);
  }

  private static List<String> exports() throws IOException {
    return library()
        .flatMap(module -> module.exports().entrySet().stream())
        .filter(export -> export.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  private static Stream<Described> library() throws IOException {
    return Described.all().stream()
        .filter(module -> LibraryModules.FOLDERS.contains(module.folder()));
  }

  private static List<String> publicTypes() throws IOException {
    List<String> types = new ArrayList<>();
    for (String name : exports()) {
      for (Path file : LibraryModules.sources()) {
        if (name.equals(packageOf(file))) {
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

  private static String packageOf(Path file) {
    String path = file.getParent().toString().replace('\\', '/');
    return path.substring(path.indexOf("src/main/java/") + "src/main/java/".length())
        .replace('/', '.');
  }
}
