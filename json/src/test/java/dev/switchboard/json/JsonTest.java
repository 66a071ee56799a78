package dev.switchboard.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

class JsonTest {
  record Point(int x, int y) {}

  @Test
  void writesAStringAsJacksonDoes() {
    for (int letter = 0; letter < Character.MIN_SURROGATE; letter++) {
      String text = "a" + (char) letter + "b";
      assertThat("[" + Json.of(text) + "]").isEqualTo(Json.of(List.of(text)).text());
    }
    assertThat(Json.of("")).isEqualTo(Json.text("\"\""));
  }

  @Test
  void keepsTheTextAsItCame() {
    assertThat(Json.text("{ \"a\":1.50 }").text()).isEqualTo("{ \"a\":1.50 }");
  }

  @Test
  void writesRecordsMapsAndLists() {
    assertThat(Json.of(new Point(1, 2)).text()).isEqualTo("{\"x\":1,\"y\":2}");
    assertThat(Json.of(Map.of("a", List.of(1, 2))).text()).isEqualTo("{\"a\":[1,2]}");
    assertThat(Json.of(null).text()).isEqualTo("null");
  }

  @Test
  void digestsByValue() {
    assertThat(Json.text("{\"a\":1,\"b\":[1.0]}").digest())
        .isEqualTo(Json.text("{ \"b\": [1], \"a\": 1e0 }").digest())
        .isNotEqualTo(Json.text("{\"a\":1,\"b\":[2]}").digest());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{\"a\":1,}",
        "{} {}",
        "{\"a\":1,\"a\":2}",
        "nul",
        "{'a':1}",
        "[1 2]",
        "\"\\ud800\"",
        "{\"\\udc00\":1}",
        "NaN",
        "01"
      })
  void refusesWhatIsNotJson(String text) {
    assertThatThrownBy(() -> Json.text(text).tree()).isInstanceOf(JsonException.class);
  }

  @Test
  void nestsTwoHundredLevelsAndNoMore() {
    assertThat(Json.text("[".repeat(200) + "]".repeat(200)).tree().isArray()).isTrue();
    assertThatThrownBy(() -> Json.text("[".repeat(201) + "]".repeat(201)).tree())
        .hasMessageContaining("deeper than 200");
  }

  @Test
  void saysWhereTheSyntaxBreaks() {
    assertThatThrownBy(() -> Json.text("{\"secret\":").tree())
        .hasMessage("is not JSON: it ends too early (line 1, column 11)")
        .hasMessageNotContaining("secret");
  }

  @Test
  void keepsBigNumbersExact() {
    assertThat(Json.text("12345678901234567890.1234567890123").tree().decimalValue())
        .isEqualTo("12345678901234567890.1234567890123");
  }

  @Test
  void refusesToWriteWhatHoldsItself() {
    List<Object> loop = new java.util.ArrayList<>();
    loop.add(loop);
    assertThatThrownBy(() -> Json.of(loop)).isInstanceOf(JsonException.class);
  }

  sealed interface Availability {
    record Open(List<String> tables) implements Availability {}

    record FullyBooked(int nearest) implements Availability {}
  }

  record Day(Availability noon, List<Availability> evening) {}

  @Test
  void tellsTheRecordsOfASealedInterfaceApart() {
    assertThat(Json.of(new Availability.Open(List.of("T5"))).text())
        .isEqualTo("{\"type\":\"open\",\"tables\":[\"T5\"]}");
    Day day = new Day(new Availability.FullyBooked(3), List.of(new Availability.Open(List.of())));
    assertThat(Json.of(day).text())
        .isEqualTo(
            "{\"noon\":{\"type\":\"fully_booked\",\"nearest\":3},"
                + "\"evening\":[{\"type\":\"open\",\"tables\":[]}]}");
    assertThat(Json.of(List.of(new Availability.FullyBooked(3))).text())
        .isEqualTo("[{\"type\":\"fully_booked\",\"nearest\":3}]");
  }

  @Test
  void refusesANumberThatNothingCanHold() {
    assertThatThrownBy(() -> Json.text("{\"n\":1e99999999999}").tree())
        .isInstanceOf(JsonException.class)
        .hasMessageContaining("too large");
  }

  @Tag("slow")
  @Test
  void givesUpOnAValueOfOthersThatHasNoEnd() {
    assertThatThrownBy(() -> Json.ofForeign(Stream.generate(() -> "again and again")))
        .isInstanceOf(JsonException.class);

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Json.ofForeign(Stream.generate(() -> "again and again")))
        .isInstanceOf(JsonException.class)
        .hasStackTraceContaining("does not end within 10");
    assertThat(Json.ofForeign(List.of("short")).text()).isEqualTo("[\"short\"]");
    assertThat(Thread.interrupted()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"type\":\"content\",\"content\":\"words \"}",
        "{\"a\":\"quote \\\" and \\\\ and \\n\"}",
        "{\"a\":\"\u00fc\u20ac\"}",
        "{\"\\n\":\"a\"}",
        "{\"a\":\"1\",\"b\":2}",
        "{\"a\":\"1\",\"b\":{\"c\":\"d\"},\"e\":null}",
        "{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\",\"d\":\"4\",\"e\":\"5\"}"
      })
  void anObjectHasTheTextThatItHasInAList(String text) {
    JsonNode object = Json.text(text).tree();

    assertThat(Json.of(object).text()).isEqualTo(text);
    assertThat('[' + Json.of(object).text() + ']').isEqualTo(Json.of(List.of(object)).text());
    assertThat(Json.of(object).tree()).isEqualTo(object);
  }

  @Test
  void aQuickLookOverlooksNoMember() {
    assertThat(Json.text("{\"a\":[{\"success\":1}]}").mayHaveMember("success")).isTrue();
    assertThat(Json.text("{\"\\u0073uccess\":1}").mayHaveMember("success")).isTrue();
    assertThat(Json.text("{\"unsuccess\":1,\"success\":2}").mayHaveMember("success")).isTrue();
    assertThat(Json.text("{\"successful\":\"no success\"}").mayHaveMember("success")).isFalse();
    assertThat(Json.text("success").mayHaveMember("success")).isFalse();
  }

  record Labelled(String label, @JsonAnyGetter Map<String, Integer> more) {}

  @Test
  void checksWhatItWroteOnlyWhereItMayBeUnreadable() {
    List<Object> fine =
        List.of(
            Map.of("a", List.of(1, 2.5, BigInteger.TEN, new BigDecimal("1.50"))),
            Map.of(1, "one", 2, "two"),
            new Labelled("a", Map.of("b", 1, "c", 2)),
            new Day(new Availability.FullyBooked(3), List.of(new Availability.Open(List.of()))),
            Map.of("smile", "\uD83D\uDE00"));
    for (Object value : fine) {
      assertThatCode(() -> Json.of(value).check()).doesNotThrowAnyException();
    }
    assertThatThrownBy(() -> Json.of(Map.of(1, "a", "1", "b")).check())
        .hasMessageStartingWith("is not JSON: a member is named twice");
    JsonNode half = JsonNodeFactory.instance.objectNode().put("a", "\uD83D");
    assertThatThrownBy(() -> Json.of(half).check()).isInstanceOf(JsonException.class);
    assertThat(Json.of(half).tree()).isEqualTo(half);
  }

  @Test
  void nullFitsNoType() {
    assertThatThrownBy(() -> Json.text("null").as(Point.class))
        .isInstanceOf(JsonException.class)
        .hasMessage("does not fit Point");
  }
}
