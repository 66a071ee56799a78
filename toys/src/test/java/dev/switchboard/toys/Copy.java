package dev.switchboard.toys;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A copy of the repository that may be changed, without its history and without what was built.
record Copy(Path root) {
  private static final Set<String> HIDDEN = Set.of(".ci", ".github", ".mvn");
  private static final Pattern REPORT = Pattern.compile("TEST-.*\\.(\\w+)\\.xml");

  /// The files of the repository, as paths from its root.
  static Set<String> files() throws IOException {
    Path root = Repository.root();
    Set<String> files = new TreeSet<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return folder.equals(root) || isSource(String.valueOf(folder.getFileName()))
                ? FileVisitResult.CONTINUE
                : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files.add(root.relativize(file).toString().replace('\\', '/'));
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  private static boolean isSource(String folder) {
    return HIDDEN.contains(folder)
        || !folder.startsWith(".") && !folder.equals("target") && !folder.equals("node_modules");
  }

  /// A copy in that folder.
  static Copy in(Path folder) throws IOException {
    for (String file : files()) {
      Path copied = folder.resolve(file);
      Files.createDirectories(copied.getParent());
      Files.copy(Repository.file(file), copied, StandardCopyOption.COPY_ATTRIBUTES);
    }
    return new Copy(folder);
  }

  /// Applies a patch.
  ///
  /// @throws IllegalStateException when lines that it names are not there, or not next to each
  ///   other
  void apply(Path patch) throws IOException, InterruptedException {
    run(List.of("git", "apply", "--whitespace=nowarn", patch.toString()));
  }

  /// Compiles all modules and runs these classes of tests; the names of those that passed.
  List<String> passed(List<String> tests) throws IOException, InterruptedException {
    run(
        List.of(
            Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
            "--batch-mode",
            "--offline",
            "--quiet",
            "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"),
            "-Dquick",
            // The slow ones that are named, too.
            "-Dtest.excluded=servers | load | browser",
            "-Dtest=" + String.join(",", tests),
            "-Dsurefire.failIfNoSpecifiedTests=false",
            "test"));
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> REPORT.matcher(String.valueOf(file.getFileName())))
          .filter(Matcher::matches)
          .map(report -> report.group(1))
          .toList();
    }
  }

  private void run(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(root.toFile());
    builder.environment().put("GIT_CEILING_DIRECTORIES", root.getParent().toString());
    Path out = root.resolve("target/toys.log");
    Files.createDirectories(out.getParent());
    Process process = builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      int exit = process.waitFor();
      if (exit != 0) {
        throw new IllegalStateException(
            String.join(" ", command) + " failed:\n" + Files.readString(out));
      }
    } finally {
      List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
      all.add(process.toHandle());
      all.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
