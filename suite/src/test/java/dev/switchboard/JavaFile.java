package dev.switchboard;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// One Java file of the repository, its path seen from the root.
record JavaFile(Path path, List<String> lines) {
  private static final int LIMIT = 400;
  private static final int LIMIT_OF_TESTS = 500;
  private static final Pattern COMMENT = Pattern.compile("//.*$");
  private static final Pattern CITATION = Pattern.compile("//.*\\b(?:[S]PEC|[s]eed 0\\d\\d)\\b");
  private static final Pattern EMPTY_NAME =
      Pattern.compile(
          "^\\s*(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed)\\s+)*"
              + "(?:class|interface|@interface|record|enum)\\s+(\\w*(?:Impl|Utils?|Helper|Manager))\\b");
  private static final Pattern SLEEP =
      Pattern.compile("\\b(?:Thread\\.sleep|TimeUnit\\.\\w+\\.sleep)\\b");

  private static final Pattern WRITE =
      Pattern.compile(
          "\\b(?:Files\\.(?:newBufferedWriter|newOutputStream|newByteChannel|createFile|write"
              + "|writeString|copy)|new (?:FileOutputStream|FileWriter|RandomAccessFile)"
              + "|StandardOpenOption\\.CREATE)\\b");

  /// Those that write files which hold no one's words or keys, or temporary ones, which are their
  /// owner's.
  private static final Set<String> WRITERS =
      Set.of(
          "OwnerFile.java",
          "ToolLock.java", // digests of tools, to be committed
          "StoredText.java", // agents' files
          "ToolFile.java",
          "InitCommand.java",
          "Main.java", // standard output
          "Training.java",
          "Draft.java", // temporary
          "MemoryImportCommand.java",
          "Demo.java",
          "ClusterDemo.java",
          "WasmDemo.java",
          "LineRecording.java"); // tones of tests

  /// All Java files of all modules.
  static List<JavaFile> all() throws IOException {
    Path root = Repository.root();
    List<JavaFile> files = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.sorted().toList()) {
        addSources(root, module.resolve("src"), files);
      }
    }
    return files;
  }

  private static void addSources(Path root, Path sources, List<JavaFile> files) throws IOException {
    if (!Files.isDirectory(sources)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(sources)) {
      for (Path path : paths.filter(p -> p.toString().endsWith(".java")).sorted().toList()) {
        files.add(new JavaFile(root.relativize(path), Files.readAllLines(path)));
      }
    }
  }

  /// What is wrong with this file, and the remedy.
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    int limit = isTest() ? LIMIT_OF_TESTS : LIMIT;
    if (lines.size() > limit) {
      faults.add(
          "%s has %d lines, more than %d: split it by meaning."
              .formatted(path, lines.size(), limit));
    }
    for (int line = 0; line < lines.size(); line++) {
      String code = COMMENT.matcher(lines.get(line)).replaceAll("");
      Matcher name = EMPTY_NAME.matcher(code);
      if (name.find()) {
        faults.add(
            """
            %s:%d names a type `%s`: say what it is or does, without Impl, Util, Helper, Manager.\
            """
                .formatted(path, line + 1, name.group(1)));
      }
      if (CITATION.matcher(lines.get(line)).find()) {
        faults.add(
            "%s:%d cites a text that is not in the repository: say what holds."
                .formatted(path, line + 1));
      }
      if (isMain() && SLEEP.matcher(code).find()) {
        faults.add(
            "%s:%d sleeps: wait through the port Time, so that tests need not wait."
                .formatted(path, line + 1));
      }
      if (isMain() && !mayWrite() && WRITE.matcher(code).find()) {
        faults.add(
            "%s:%d writes a file that other users may read: use OwnerFile."
                .formatted(path, line + 1));
      }
    }
    return faults;
  }

  /// The folders of main code whose package is not null-marked, with the remedy.
  static List<String> packagesWithoutNullMarked(List<JavaFile> files) {
    Set<Path> packages = new TreeSet<>();
    files.stream().filter(JavaFile::isMain).forEach(file -> packages.add(file.folder()));
    files.stream()
        .filter(JavaFile::marksItsPackage)
        .forEach(file -> packages.remove(file.folder()));
    return packages.stream()
        .map(folder -> folder + " has no package-info.java with @NullMarked: add one.")
        .toList();
  }

  private boolean isMain() {
    return !isTest() && path.toString().replace('\\', '/').contains("src/main/java/");
  }

  /// Whether it is code of tests, which is also all that the harness and the contracts hold.
  boolean isTest() {
    return path.toString().replace('\\', '/').contains("src/test/")
        || path.startsWith("harness")
        || path.startsWith("contracts");
  }

  private boolean mayWrite() {
    return WRITERS.contains(String.valueOf(path.getFileName())) || path.startsWith("bench");
  }

  private boolean marksItsPackage() {
    return isMain() && path.endsWith("package-info.java") && lines.contains("@NullMarked");
  }

  private Path folder() {
    Path folder = path.getParent();
    return folder == null ? path : folder;
  }
}
