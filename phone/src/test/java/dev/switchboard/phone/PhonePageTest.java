package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Holds `docs/how-to/phone.md` to the code that it shows.
final class PhonePageTest {
  @TempDir Path folder;

  @Test
  void itsExampleCompiles() throws IOException {
    String page = Files.readString(page());
    int begin = page.indexOf("```java\n") + "```java\n".length();
    String code = page.substring(begin, page.indexOf("```\n", begin));
    Path source = folder.resolve("ShopPhone.java");
    Files.writeString(source, code);
    int faults =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-d",
                folder.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                source.toString());
    assertThat(faults).isZero();
    assertThat(folder.resolve("ShopPhone.class")).exists();
  }

  @Test
  void everyEventOfACallIsDescribed() throws IOException {
    Set<String> noted = new TreeSet<>(Set.of("said", "ended"));
    Pattern note = Pattern.compile("\\bnote\\(\\s*\"([a-z_]+)\"");
    try (Stream<Path> sources = Files.walk(project("phone/src/main/java"))) {
      for (Path source : sources.filter(file -> file.toString().endsWith(".java")).toList()) {
        note.matcher(Files.readString(source)).results().forEach(one -> noted.add(one.group(1)));
      }
    }
    String page = Files.readString(project("docs/reference/call-records.md"));
    String events = page.substring(page.indexOf("## `events.jsonl`"));
    Set<String> described = new TreeSet<>();
    Pattern.compile("(?m)^\\| `([a-z_]+)`")
        .matcher(events)
        .results()
        .forEach(row -> described.add(row.group(1)));
    assertThat(described).isEqualTo(noted);
  }

  private static Path page() {
    return project("docs/how-to/phone.md");
  }

  private static Path project(String path) {
    Path here = Path.of("").toAbsolutePath();
    Path file = here.resolve(path);
    return Files.exists(file) ? file : here.getParent().resolve(path);
  }
}
