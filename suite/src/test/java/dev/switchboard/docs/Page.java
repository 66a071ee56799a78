package dev.switchboard.docs;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A Markdown page of the repository, its path seen from the root.
record Page(Path root, Path path, List<String> lines, List<Block> blocks) {
  private static final Pattern FENCE = Pattern.compile("^(`{3,})(\\w*).*$");
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");

  /// All pages: those at the root, and those below `docs`.
  static List<Page> all() throws IOException {
    Path root = Repository.root();
    List<Page> pages = new ArrayList<>();
    try (Stream<Path> top = Files.list(root);
        Stream<Path> docs = Files.walk(root.resolve("docs"))) {
      List<Path> paths = Stream.concat(top, docs).filter(Page::isMarkdown).sorted().toList();
      for (Path path : paths) {
        pages.add(of(root, path));
      }
    }
    return pages;
  }

  /// The page of that path, seen from the root.
  static Page named(String path) throws IOException {
    return all().stream()
        .filter(page -> page.path.equals(Path.of(path)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no page " + path));
  }

  private static boolean isMarkdown(Path path) {
    return path.toString().endsWith(".md");
  }

  private static Page of(Path root, Path file) throws IOException {
    Path path = root.relativize(file);
    List<String> lines = Files.readAllLines(file);
    List<Block> blocks = new ArrayList<>();
    List<String> prose = new ArrayList<>();
    List<String> marks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher fence = FENCE.matcher(lines.get(i));
      if (!fence.matches()) {
        prose.add(lines.get(i));
        mark(lines.get(i), marks);
        continue;
      }
      int end = i + 1;
      while (!lines.get(end).equals(fence.group(1))) {
        end++;
      }
      blocks.add(
          new Block(path.toString(), i + 2, fence.group(2), lines.subList(i + 1, end), marks));
      marks.clear();
      i = end;
    }
    return new Page(root, path, prose, blocks);
  }

  /// Keeps the comments that no other prose follows.
  private static void mark(String line, List<String> marks) {
    if (line.startsWith("<!--")) {
      marks.add(line);
    } else if (!line.isBlank()) {
      marks.clear();
    }
  }

  /// The lines of tables, without their heads.
  List<List<String>> rows() {
    return lines.stream()
        .filter(line -> line.startsWith("| ") && line.endsWith(" |"))
        .map(line -> List.of(line.substring(2, line.length() - 2).split(" \\| ", -1)))
        .toList();
  }

  /// What is wrong with its links within the repository.
  List<String> brokenLinks() throws IOException {
    List<String> broken = new ArrayList<>();
    for (String target : links()) {
      if (!resolves(target)) {
        broken.add("%s links to %s, which is not there.".formatted(path, target));
      }
    }
    return broken;
  }

  private List<String> links() {
    return lines.stream()
        .flatMap(line -> LINK.matcher(line.replaceAll("`[^`]*`", "")).results())
        .map((MatchResult link) -> link.group(1))
        .filter(target -> !target.matches("(?:https?|mailto):.*"))
        .toList();
  }

  private boolean resolves(String target) throws IOException {
    String[] parts = target.split("#", 2);
    Path page = root.resolve(path);
    Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    return Files.exists(file) && (parts.length == 1 || anchors(file).contains(parts[1]));
  }

  private static List<String> anchors(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(title -> title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .toList();
  }
}
