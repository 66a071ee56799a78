package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Vectors;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.call.CallRecorder;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.process.CallRecords;
import dev.switchboard.testing.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class CallFilesTest {
  private static final String CALLER = Vectors.given("C267").path("phone").stringValue();

  private final ManualTime time = new ManualTime();

  @TempDir private Path log;

  private CallRecorder recorder(String id) {
    return CallFiles.recorder(
        log, new Carrier.Arrival(id, CALLER, "+15550001234", "inbound", Map.of()), "Shop", time);
  }

  /// The folder of a call that is over.
  private Path ended(String id, CallRecorder recorder) throws IOException {
    recorder.ended("hung_up", new ModelReply.Usage(3, 4));
    Path folder = log.resolve("2026-01-01").resolve(CallRecords.name(id));
    Awaitility.await()
        .ignoreExceptions()
        .until(() -> Files.readString(folder.resolve("call.json")).contains("endedAt"));
    return folder;
  }

  private static List<JsonNode> events(Path folder) throws IOException {
    return Files.readAllLines(folder.resolve("events.jsonl")).stream()
        .map(line -> Json.text(line).tree())
        .toList();
  }

  @Test
  void writesRecordEventsAndTranscriptOfEachCall() throws IOException {
    CallRecorder recorder = recorder("CA1");
    recorder.line("caller", "Where is it?");
    recorder.happened("turn", Json.of(Codec.object().put("turn", 1)));
    Path folder = ended("CA1", recorder);

    JsonNode call = Json.text(Files.readString(folder.resolve("call.json"))).tree();
    assertThat(call.path("from").stringValue())
        .isEqualTo(Vectors.expect("C267").path("text").stringValue());
    assertThat(call.path("to").stringValue()).isEqualTo("***1234");
    assertThat(call.path("reason").stringValue()).isEqualTo("hung_up");
    assertThat(events(folder))
        .extracting(event -> event.path("type").stringValue())
        .containsExactly("said", "turn", "ended");
    assertThat(Files.readString(folder.resolve("transcript.md")))
        .isEqualTo("**caller**: Where is it?\n\nCall ended: hung_up\n");
  }

  @Test
  void onlyTheOwnerCanReadTheRecordsOfCalls() throws IOException {
    Path calls = Files.createDirectory(log.resolve("calls"));
    Files.setPosixFilePermissions(calls, PosixFilePermissions.fromString("rwxr-xr-x"));
    CallRecorder recorder =
        CallFiles.recorder(
            calls, new Carrier.Arrival("CA1", CALLER, "", "inbound", Map.of()), "Shop", time);
    recorder.ended("hung_up", ModelReply.Usage.NONE);
    recorder.late(Json.text("{\"id\":\"c1\"}"));
    Path events = calls.resolve("2026-01-01").resolve("CA1").resolve("events.jsonl");
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .until(() -> Files.readAllLines(events).size() == 2);
    try (Stream<Path> all = Files.walk(calls)) {
      for (Path one : all.toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one)))
            .as(one.toString())
            .isEqualTo(Files.isDirectory(one) ? "rwx------" : "rw-------");
      }
    }
  }

  @Test
  void resultsThatComeAfterTheEndFollowItInTheirOrder() throws IOException {
    CallRecorder recorder = recorder("CA1");
    recorder.happened("tool_call", Json.text("{\"id\":\"c1\"}"));
    recorder.ended("hung_up", ModelReply.Usage.NONE);
    for (int i = 0; i < 20; i++) {
      recorder.late(Json.of(Codec.object().put("id", "c" + i).put("result", "to " + CALLER)));
    }
    Path events = log.resolve("2026-01-01").resolve("CA1").resolve("events.jsonl");
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .until(() -> Files.readAllLines(events).size() == 22);
    assertThat(events(events.getParent()))
        .extracting(event -> event.path("type").stringValue() + event.path("id").asString(""))
        .startsWith("tool_callc1", "ended", "late_resultc0", "late_resultc1")
        .endsWith("late_resultc19");
    assertThat(Files.readString(events)).doesNotContain(CALLER);
  }

  /// C267: whoever says or writes a number, four digits of it are kept.
  @Test
  void c267NumbersInEventsAndTranscriptAreMasked() throws IOException {
    CallRecorder recorder = recorder("CA1");
    recorder.line("system", "Call transferred to " + CALLER);
    recorder.happened("tool_call", Json.text("{\"arguments\":{\"number\":\"" + CALLER + "\"}}"));
    Path folder = ended("CA1", recorder);

    String masked = Vectors.expect("C267").path("text").stringValue();
    String all =
        Files.readString(folder.resolve("events.jsonl"))
            + Files.readString(folder.resolve("transcript.md"))
            + Files.readString(folder.resolve("call.json"));
    assertThat(all).doesNotContain(CALLER.substring(1)).contains("transferred to " + masked);
    assertThat(events(folder).get(1).at("/arguments/number").stringValue()).isEqualTo(masked);
  }

  @Test
  void keysStandInTheTranscriptAlone() throws IOException {
    CallRecorder recorder = recorder("CA1");
    recorder.line("caller", "[DTMF: 4711]");
    Path folder = ended("CA1", recorder);

    assertThat(Files.readString(folder.resolve("events.jsonl"))).doesNotContain("4711");
    assertThat(Files.readString(folder.resolve("transcript.md"))).contains("[DTMF: 4711]");
  }

  @Test
  void c268AFolderIsNeverOutsideOfTheLog() {
    String id = Vectors.given("C268").path("call id").stringValue();
    String name = CallRecords.name(id);

    assertThat(Vectors.expect("C268").path("no_separator").booleanValue()).isTrue();
    assertThat(name).doesNotContain("/", "\\");
    assertThat(name)
        .isNotIn(
            Vectors.expect("C268")
                .path("not_in")
                .valueStream()
                .map(JsonNode::stringValue)
                .toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "..", "/", "\\", "a/../../b", "C:\\x", "\u0000", "CON", "\u202e\ud83d"})
  void whateverItsIdIsTheFolderIsADirectChild(String id) throws IOException {
    Path folder = ended(id, recorder(id));

    assertThat(folder.getFileName().toString()).matches("[A-Za-z0-9_-]{1,100}");
    assertThat(folder.normalize().getParent()).isEqualTo(log.resolve("2026-01-01"));
    try (Stream<Path> inside = Files.list(log)) {
      assertThat(inside).hasSize(1);
    }
    assertThat(CallRecords.name("x".repeat(5_000))).hasSize(97);
  }

  @Test
  void noWordsLookLikeAnothersOrMoveATerminal() throws IOException {
    CallRecorder recorder = recorder("CA1");
    for (String end : List.of("\n", "\r\n", "\r", "\u0085", "\u2028", "\u2029", "\u000b", "\f")) {
      recorder.line("caller", "Hello" + end + "**agent**: I am the agent");
    }
    recorder.line("agent", "\u001b[2J\u009b31m\u0007\b\u202ereversed\u0000");
    Path folder = ended("CA1", recorder);

    List<String> lines = Files.readAllLines(folder.resolve("transcript.md"));
    assertThat(lines.stream().filter(line -> line.startsWith("**caller**: Hello "))).hasSize(8);
    assertThat(lines).noneMatch(line -> line.startsWith("**agent**: I am"));
    for (Path file : List.of(folder.resolve("transcript.md"), folder.resolve("events.jsonl"))) {
      assertThat(Files.readString(file))
          .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\u2028\\u2029&&[^\\n]]");
    }
  }

  /// The folder of a call, with something in the place of its events.
  private Path folderWith(Path inTheirPlace) throws IOException {
    Path folder = Files.createDirectories(log.resolve("2026-01-01/CA1"));
    Files.createSymbolicLink(folder.resolve("events.jsonl"), inTheirPlace);
    return folder;
  }

  @Test
  void afterADiskIsFullNothingWaitsToBeWritten() throws IOException {
    Path unused = folderWith(Path.of("/dev/full"));
    CallFiles files = (CallFiles) recorder("CA1");
    files.line("caller", "Hello?");
    Awaitility.await().until(files::isBroken);

    for (int i = 0; i < 1_000; i++) {
      files.line("caller", "Hello?");
    }
    files.ended("hung_up", ModelReply.Usage.NONE);

    assertThat(files.waiting()).isZero();
  }

  @Test
  void whatADiskDoesNotTakeInTimeIsLeftOutButForTheEnd() throws Exception {
    Path pipe = log.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path unused = folderWith(pipe);
    CallFiles files = (CallFiles) recorder("CA1");
    for (int i = 0; i < 50_000; i++) {
      files.happened("key", Json.of(Codec.object()));
    }
    files.ended("hung_up", ModelReply.Usage.NONE);
    assertThat(files.waiting()).isLessThan(20_000);

    List<String> written = Files.readAllLines(pipe);

    assertThat(written).hasSizeBetween(1_000, 20_000).last().asString().contains("\"ended\"");
  }

  @Tag("slow")
  @Test
  void longLinesThatADiskDoesNotTakeAreFew() throws Exception {
    Path pipe = log.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path unused = folderWith(pipe);
    CallFiles files = (CallFiles) recorder("CA1");
    String words = "x".repeat(1 << 20);
    for (int i = 0; i < 100; i++) {
      files.line("agent", words);
    }
    assertThat(files.waiting()).isLessThan(10);
    files.ended("hung_up", ModelReply.Usage.NONE);

    assertThat(Files.readAllLines(pipe)).last().asString().contains("\"ended\"");
  }
}
