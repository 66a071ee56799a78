package dev.switchboard.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.check.Checked;
import dev.switchboard.harness.Repository;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Default;
import dev.switchboard.tool.Range;
import dev.switchboard.tool.ToolSchemaException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Holds `docs/reference/types.md` to what the generator and the check do.
@SuppressWarnings("ArrayRecordComponent")
class TypesTableTest {
  enum Color {
    RED,
    GREEN
  }

  record Point(int x) {}

  sealed interface Shape {
    record Dot() implements Shape {}

    record Line(int length) implements Shape {}
  }

  record Node(@Nullable Node next) {}

  record Row0(String value) {}

  record Row1(char value) {}

  record Row2(boolean value) {}

  record Row3(byte value) {}

  record Row4(short value) {}

  record Row5(int value) {}

  record Row6(long value) {}

  record Row7(BigInteger value) {}

  record Row8(float value) {}

  record Row9(double value) {}

  record Row10(BigDecimal value) {}

  record Row11(Color value) {}

  record Row12(LocalDate value) {}

  record Row13(LocalTime value) {}

  record Row14(LocalDateTime value) {}

  record Row15(Instant value) {}

  record Row16(OffsetDateTime value) {}

  record Row17(ZonedDateTime value) {}

  record Row18(Duration value) {}

  record Row19(Period value) {}

  record Row20(Year value) {}

  record Row21(YearMonth value) {}

  record Row22(URI value) {}

  record Row23(UUID value) {}

  record Row24(byte[] value) {}

  record Row25(List<String> value) {}

  record Row26(Set<Color> value) {}

  record Row27(int[] value) {}

  record Row28(List<@Nullable String> value) {}

  record Row29(Map<String, Boolean> value) {}

  record Row30(Map<Color, Boolean> value) {}

  record Row31(Point value) {}

  record Row32(Shape value) {}

  record Row33(Node value) {}

  record Row34(Optional<String> value) {}

  record Row35(@Nullable Point value) {}

  record Row36(@Default("4") @Range(min = 1, max = 20) int value) {}

  record Row37(Object value) {}

  private static final List<Class<?>> RECORDS = List.of(TypesTableTest.class.getDeclaredClasses());

  @Test
  void saysWhatTheGeneratorAndTheCheckDo() throws IOException {
    List<String> rows =
        Files.readAllLines(table()).stream().filter(line -> line.startsWith("| `")).toList();
    for (int i = 0; i < rows.size(); i++) {
      String[] cells = rows.get(i).substring(2).replace("\\|", "|").split(" \\| ", -1);
      Class<?> type = type(i);
      assertThat(cells[0]).isEqualTo("`" + declared(type) + "`");
      assertThat(cells[1]).as(cells[0]).isEqualTo("`" + schema(type, false) + "`");
      assertThat(cells[2]).as(cells[0]).isEqualTo(strictCell(type));
      ParameterSchema parameters = ParameterSchema.of("x", type, false);
      assertThat(texts(cells[3]))
          .as("accepted " + cells[0])
          .isNotEmpty()
          .allMatch(text -> accepts(parameters, text));
      assertThat(texts(cells[4]))
          .as("refused " + cells[0])
          .isNotEmpty()
          .noneMatch(text -> accepts(parameters, text));
    }
    assertThat(rows)
        .hasSize(
            (int) RECORDS.stream().filter(type -> type.getSimpleName().startsWith("Row")).count());
  }

  private static Path table() {
    return Repository.file("docs/reference/types.md");
  }

  private static Class<?> type(int row) {
    return RECORDS.stream()
        .filter(type -> type.getSimpleName().equals("Row" + row))
        .findFirst()
        .orElseThrow();
  }

  private static String declared(Class<?> type) {
    var component = type.getRecordComponents()[0];
    String annotations =
        component.isAnnotationPresent(Default.class)
            ? "@Default(\"4\") @Range(min = 1, max = 20) "
            : "";
    return annotations
        + component
            .getAnnotatedType()
            .toString()
            .replaceAll("[\\w.]+[.$](?=[A-Z@])", "")
            .replaceAll("@[\\w.]+\\.(?=[A-Z])", "@")
            .replace("()", "");
  }

  private static String schema(Class<?> type, boolean strict) {
    JsonNode schema = ParameterSchema.of("x", type, strict).json().tree();
    String value = schema.at("/properties/value").toString();
    return schema.has("$defs") ? value + "`, `$defs`: `" + schema.path("$defs") : value;
  }

  private static String strictCell(Class<?> type) {
    try {
      String strict = schema(type, true);
      return strict.equals(schema(type, false)) ? "the same" : "`" + strict + "`";
    } catch (ToolSchemaException e) {
      return "not allowed";
    }
  }

  private static List<String> texts(String cell) {
    return List.of(cell.replace(" |", "").strip().split(", (?=`)")).stream()
        .map(text -> text.substring(1, text.length() - 1))
        .toList();
  }

  private static boolean accepts(ParameterSchema parameters, String text) {
    String arguments = text.equals("absent") ? "{}" : "{\"value\":" + text + "}";
    return parameters.check(Json.text(arguments)) instanceof Checked.Accepted;
  }
}
