package dev.switchboard.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The class path that Maven gives a project with some artifacts: they, and what they bring,
/// without what is optional.
final class PageArtifacts {
  private static final String LIBRARY = "switchboard";
  private static final String OURS = LIBRARY + "-";
  private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");
  private static final Pattern LEFT_OUT =
      Pattern.compile("<optional>true</optional>|<scope>(test|provided|system)</scope>");
  private static final Pattern MANAGED =
      Pattern.compile("(?s)<(dependencyManagement|build|profiles)>.*?</\\1>");

  private final Path root;
  private final List<Path> all; // of this test's class path
  private final Set<Path> taken = new LinkedHashSet<>();
  private final Set<String> seen = new LinkedHashSet<>();

  private PageArtifacts(Path root) {
    this.root = root;
    all =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .toList();
  }

  static List<Path> classPath(Path root, Set<String> artifacts) throws IOException {
    PageArtifacts path = new PageArtifacts(root);
    for (String artifact : artifacts) {
      path.add(artifact);
    }
    return new ArrayList<>(path.taken);
  }

  private void add(String artifact) throws IOException {
    if (!seen.add(artifact)) {
      return;
    }
    for (Path entry : entries(artifact)) {
      taken.add(entry);
    }
    Path pom = pom(artifact);
    if (pom == null) {
      return;
    }
    Matcher dependency = DEPENDENCY.matcher(MANAGED.matcher(Files.readString(pom)).replaceAll(""));
    while (dependency.find()) {
      Matcher named = ARTIFACT.matcher(dependency.group(1));
      if (!LEFT_OUT.matcher(dependency.group(1)).find() && named.find()) {
        add(named.group(1));
      }
    }
  }

  /// The classes of one of our modules, or the file of another artifact.
  private List<Path> entries(String artifact) {
    if (isOurs(artifact)) {
      Path target = module(artifact).resolve("target");
      return all.stream()
          .filter(entry -> entry.toAbsolutePath().startsWith(target) && !isOfTests(entry))
          .toList();
    }
    Pattern file = Pattern.compile(Pattern.quote(artifact) + "-[0-9].*\\.jar");
    return all.stream()
        .filter(entry -> file.matcher(entry.getFileName().toString()).matches())
        .toList();
  }

  private static boolean isOurs(String artifact) {
    return artifact.equals(LIBRARY) || artifact.startsWith(OURS);
  }

  private Path module(String artifact) {
    return root.resolve(artifact.equals(LIBRARY) ? "library" : artifact.substring(OURS.length()));
  }

  private static boolean isOfTests(Path entry) {
    return entry.getFileName().toString().startsWith("test-classes");
  }

  private Path pom(String artifact) throws IOException {
    if (isOurs(artifact)) {
      return module(artifact).resolve("pom.xml");
    }
    List<Path> entries = entries(artifact);
    if (entries.isEmpty()) {
      return null;
    }
    try (Stream<Path> beside = Files.list(entries.getFirst().toAbsolutePath().getParent())) {
      return beside.filter(file -> file.toString().endsWith(".pom")).findFirst().orElse(null);
    }
  }
}
