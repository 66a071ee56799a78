package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import dev.switchboard.harness.Vectors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Holds the tests to the cases: each case of a phone's areas is read by a test, or stands here
/// with the reason why not.
class VectorsTest {
  private static final Set<String> AREAS =
      Set.of(
          "system-tools",
          "progress",
          "reassurance",
          "openai-realtime",
          "twilio-http",
          "twilio-ws",
          "audio",
          "transcript",
          "variables");

  private static final Map<String, String> NOT_TESTED =
      Map.of(
          "C090", "The pipeline engine comes later; both engines are to speak progress.",
          "C102", "The pipeline engine comes later; both engines are to speak reassurance.",
          "C188", "The pipeline engine comes later; chat with the same agent has no system tools.",
          "C215", "Telnyx comes later.",
          "C226", "Overruled: a server answers /livez, which its own tests hold.",
          "C227", "Outbound calls come later.");

  private static final Pattern READ = Pattern.compile("\"(C[0-9]{3})\"");

  @Test
  void eachCaseIsReadByATestOrNamedWithTheReasonWhyNot() throws IOException {
    Set<String> read = new TreeSet<>();
    for (String module : List.of("phone", "json", "tools", "agent", "store", "config", "suite")) {
      read.addAll(read(Repository.file(module + "/src/test/java")));
    }
    Set<String> known = Vectors.ids(AREAS);

    assertThat(known).hasSizeGreaterThanOrEqualTo(70);
    Set<String> missing = new TreeSet<>(known);
    missing.removeAll(read);
    assertThat(missing).isEqualTo(new TreeSet<>(NOT_TESTED.keySet()));
    NOT_TESTED.forEach((id, reason) -> assertThat(reason).as(id).endsWith("."));
  }

  /// The ids that the tests there name as those of cases, this one apart.
  private static Set<String> read(Path sources) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith("Test.java"))
          .filter(file -> !file.endsWith("phone/VectorsTest.java"))
          .flatMap(VectorsTest::ids)
          .collect(Collectors.toSet());
    }
  }

  private static Stream<String> ids(Path file) {
    try {
      String text = Files.readString(file);
      return text.contains("Vectors.")
          ? READ.matcher(text).results().map(one -> one.group(1))
          : Stream.of();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
