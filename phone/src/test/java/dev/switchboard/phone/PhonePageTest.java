package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import dev.switchboard.harness.ShownCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Holds `docs/how-to/phone.md` to the code that it shows.
final class PhonePageTest {
  @TempDir Path folder;

  @Test
  void itsExampleCompiles() throws IOException {
    String code = ShownCode.block("docs/how-to/phone.md", "", "java");

    assertThat(ShownCode.faults(folder, "ShopPhone", code)).isZero();
  }

  @Test
  void everyEventOfACallIsDescribed() throws IOException {
    Set<String> noted = new TreeSet<>(Set.of("said", "ended"));
    Pattern note = Pattern.compile("\\bnote\\(\\s*\"([a-z_]+)\"");
    try (Stream<Path> sources = Files.walk(Repository.file("phone/src/main/java"))) {
      for (Path source : sources.filter(file -> file.toString().endsWith(".java")).toList()) {
        note.matcher(Files.readString(source)).results().forEach(one -> noted.add(one.group(1)));
      }
    }
    String page = Files.readString(Repository.file("docs/reference/call-records.md"));
    String events = page.substring(page.indexOf("## `events.jsonl`"));
    Set<String> described = new TreeSet<>();
    Pattern.compile("(?m)^\\| `([a-z_]+)`")
        .matcher(events)
        .results()
        .forEach(row -> described.add(row.group(1)));
    assertThat(described).isEqualTo(noted);
  }
}
