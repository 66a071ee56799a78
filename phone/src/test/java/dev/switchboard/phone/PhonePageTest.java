package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import dev.switchboard.harness.ShownCode;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.call.CallRecorder;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.testing.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
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

  @Test
  void everyMemberOfARecordIsDescribed() throws IOException {
    Carrier.Arrival arrival = new Carrier.Arrival("CA1", "", "", "inbound", Map.of());
    CallRecorder recorder = CallFiles.recorder(folder, arrival, "Shop", new ManualTime());
    recorder.ended("hung_up", new ModelReply.Usage(3, 4));
    Path file = folder.resolve("2026-01-01/CA1/call.json");
    Awaitility.await().ignoreExceptions().until(() -> Files.readString(file).contains("endedAt"));

    String page = Files.readString(Repository.file("docs/reference/call-records.md"));
    String table = page.substring(page.indexOf("| member |"), page.indexOf("| reason |"));
    List<String> described =
        table
            .lines()
            .filter(row -> row.startsWith("| `"))
            .flatMap(row -> Pattern.compile("`(\\w+)`").matcher(row.split("\\|")[1]).results())
            .map(name -> name.group(1))
            .toList();
    assertThat(described)
        .containsExactlyElementsOf(Json.text(Files.readString(file)).tree().propertyNames());
  }
}
