package dev.switchboard.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// What the console's files hold to: what is vendored is as published, a browser loads little, and
/// nothing in them needs more than the policy of its pages allows.
class ConsoleFilesTest {
  private static final int MOST_LOADED = 50 * 1024;
  private static final Pattern REFERENCE =
      Pattern.compile("(?:\\bfrom |\\bimport |href=|src=)['\"]([./][^'\"]*\\.(?:js|css|svg))['\"]");

  // Also what a page loads when it is needed.
  private static final Pattern REACH =
      Pattern.compile(REFERENCE.pattern().replace("\\bimport ", "\\bimport[ (]"));

  private final Path root =
      Path.of("src/main/resources/dev/switchboard/server/console").toAbsolutePath();

  @Test
  void whatIsVendoredIsAsPublished() throws Exception {
    Path vendor = root.resolve("assets/vendor");
    List<String> sums = Files.readAllLines(vendor.resolve("SHA256SUMS"));
    assertThat(sums).hasSize(3);
    for (String line : sums) {
      String[] parts = line.split(" +", 2);
      assertThat(sha256(vendor.resolve(parts[1]))).as(parts[1]).isEqualTo(parts[0]);
    }
  }

  private static String sha256(Path file) throws IOException, NoSuchAlgorithmException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return HexFormat.of().formatHex(digest);
  }

  @Test
  void browsersLoadFiftyKilobytesAtMost() {
    Set<Path> loaded = from(REFERENCE);
    assertThat(loaded).contains(root.resolve("assets/pages/agents.js"));
    assertThat(loaded.stream().mapToInt(ConsoleFilesTest::zipped).sum())
        .isLessThanOrEqualTo(MOST_LOADED);
  }

  /// The document and all that it refers to in that way, over modules too.
  private Set<Path> from(Pattern reference) {
    Set<Path> found = new TreeSet<>();
    Deque<Path> open = new ArrayDeque<>(List.of(root.resolve("index.html")));
    while (!open.isEmpty()) {
      Path file = open.pop();
      if (found.add(file)) {
        reference
            .matcher(text(file))
            .results()
            .map(match -> refer(file, match.group(1)))
            .forEach(open::push);
      }
    }
    return found;
  }

  private Path refer(Path from, String to) {
    return to.startsWith("/") ? root.resolve(to.substring(1)) : from.resolveSibling(to).normalize();
  }

  private static int zipped(Path file) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream zip = new GZIPOutputStream(bytes)) {
      Files.copy(file, zip);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.size();
  }

  @Test
  void everyModuleIsReached() throws IOException {
    assertThat(from(REACH)).containsAll(ours());
  }

  @Test
  void foreignTextIsNeverMadeMarkupOrCode() throws IOException {
    for (Path file : ours()) {
      assertThat(text(file))
          .as(file.toString())
          .doesNotContainPattern("innerHTML|outerHTML|insertAdjacentHTML|document\\.write")
          .doesNotContainPattern("\\beval\\(|new Function|setTimeout\\(['\"`]|javascript:")
          .doesNotContain("style=\"");
    }
  }

  @Test
  void theDocumentHasNothingInline() {
    assertThat(text(root.resolve("index.html")))
        .doesNotContainPattern("<script(?![^>]*\\bsrc=)|<style|\\sstyle=|\\son[a-z]+=");
  }

  private List<Path> ours() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".js"))
          .filter(file -> !file.getParent().endsWith("vendor"))
          .toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
