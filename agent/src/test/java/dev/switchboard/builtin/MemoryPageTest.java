package dev.switchboard.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.switchboard.harness.Repository;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Block.Permission.Access;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryException;
import dev.switchboard.memory.MemoryException.Kind;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// `docs/reference/memory.md` says what the code does.
class MemoryPageTest {
  @ParameterizedTest
  @EnumSource(Permission.class)
  void permissions(Permission permission) throws IOException {
    List<String> verdicts =
        Arrays.stream(Access.values())
            .map(access ->
                switch (permission.verdict(access)) {
                  case ALLOW -> "yes";
                  case ASK -> "ask";
                  case DENY -> "no";
                })
            .toList();

    assertThat(rows("Permissions"))
        .contains(
            Stream.concat(Stream.of("`" + permission.word() + "`"), verdicts.stream()).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"block", "recall"})
  void operationsAndTheirMembers(String tool) throws IOException {
    JsonNode properties = BuiltInTools.of(tool).definition().parameters().tree().path("properties");

    assertThat(rows("`" + tool + "`").stream().skip(1).map(List::getFirst))
        .containsExactlyElementsOf(
            properties.at("/operation/enum").valueStream().map(w -> quoted(w.asString())).toList());
    assertThat(
            rows("`" + tool + "`").stream()
                .skip(1)
                .flatMap(row -> Stream.of(row.get(1).split(", ")))
                .distinct())
        .containsExactlyInAnyOrderElementsOf(
            properties.propertyNames().stream()
                .filter(name -> !name.equals("operation"))
                .map(MemoryPageTest::quoted)
                .toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"search", "send_message"})
  void members(String tool) throws IOException {
    JsonNode properties = BuiltInTools.of(tool).definition().parameters().tree().path("properties");

    assertThat(rows("`" + tool + "`").stream().skip(1).map(List::getFirst))
        .containsExactlyElementsOf(
            properties.propertyNames().stream().map(MemoryPageTest::quoted).toList());
  }

  private static String quoted(String word) {
    return "`" + word + "`";
  }

  @Test
  void errors() throws IOException {
    Memory memory = Memory.of(new InProcessMemory(), "a", Time.SYSTEM);
    Block unused = memory.create(core("guest").withCharLimit(12).withValue("one two\nt 1"));
    unused = memory.create(core("house").withPermission(Permission.READ_ONLY));
    List<ThrowingCallable> ways =
        List.of(
            () -> memory.block("gest"),
            () -> memory.create(core("guest")),
            () -> memory.replace("guest", "one too", "", false),
            () -> memory.replace("guest", "t", "", false),
            () -> memory.append("guest", "xy"),
            () -> memory.append("house", "x"),
            () -> memory.overwrite("guest", "", 7),
            () -> memory.append("guest", ""));

    assertThat(rows("Errors").stream().skip(1))
        .containsExactlyElementsOf(ways.stream().map(MemoryPageTest::row).toList())
        .extracting(List::getFirst)
        .containsExactlyElementsOf(
            Arrays.stream(Kind.values()).map(kind -> quoted(kind.name())).toList());
  }

  private static Block core(String label) {
    return Block.of("a", label, Block.Kind.CORE);
  }

  private static List<String> row(ThrowingCallable way) {
    MemoryException e = catchThrowableOfType(MemoryException.class, way);
    return List.of(quoted(e.kind().name()), e.getMessage());
  }

  private static List<List<String>> rows(String title) throws IOException {
    String page = Files.readString(Repository.file("docs/reference/memory.md"));
    int begin = page.indexOf("\n## " + title + "\n");
    assertThat(begin).as(title).isPositive();
    int end = page.indexOf("\n## ", begin + 1);
    return page.substring(begin, end < 0 ? page.length() : end)
        .lines()
        .filter(line -> line.startsWith("| ") && !line.startsWith("|---"))
        .map(line -> Arrays.asList(line.substring(2, line.length() - 2).split(" \\| ")))
        .toList();
  }
}
