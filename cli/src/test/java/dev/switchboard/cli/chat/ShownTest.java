package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShownTest {
  @Test
  void makesControlCharactersVisible() {
    assertThat(Shown.line(" a\n\u001bb\t c\u009b\u202ed "))
        .isEqualTo("a \\u001bb c\\u009b\\u202ed");
    assertThat(Shown.cut("a\u202eb", 8)).isEqualTo("a\\u202eb");
    assertThat(Shown.cut("a\u202eb", 7)).isEqualTo("a\\u2...");
  }

  @Test
  void argumentsAreShownWhole() {
    assertThat(arguments("{ \"a\":  \"x  y\" } ")).isEqualTo("{ \"a\":  \"x  y\" }");
    assertThat(arguments("{\n\t\"a\": \"x  y\\n\u202ez\"\r\n}"))
        .isEqualTo("{\"a\":\"x  y\\n\\u202ez\"}");
    assertThat(arguments("{\n")).isEqualTo("{");
    ToolCall longer = ToolCall.of("p", "pay", "{\"a\":\"" + "x".repeat(30_000) + "\"}");
    assertThat(Shown.whole(longer))
        .startsWith("pay with {\"a\":\"xx")
        .endsWith("xx ... and 10008 characters more");
  }

  private static String arguments(String text) {
    return Shown.arguments(ToolCall.of("p", "pay", text));
  }

  @Test
  void cutsAtColumns() {
    assertThat(Shown.cut("abcdef", 6)).isEqualTo("abcdef");
    assertThat(Shown.cut("abcdefg", 6)).isEqualTo("abc...");
    assertThat(Shown.cut("\u5bff\u53f8\u5bff\u53f8", 8)).isEqualTo("\u5bff\u53f8\u5bff\u53f8");
    assertThat(Shown.cut("\u5bff\u53f8\u5bff\u53f8", 7)).isEqualTo("\u5bff\u53f8...");
  }

  @Test
  void aQuestionSaysHowLongItIsOpen() {
    ConsentRequest request =
        new ConsentRequest(
            "c1",
            ToolCall.of("p", "pay", "{}"),
            ToolMode.EXTERNAL,
            List.of(new ConsentRequest.Demand("Why.", null, Json.EMPTY_OBJECT, "")),
            Instant.parse("2026-05-04T12:05:00Z"));
    ZonedDateTime now = ZonedDateTime.parse("2026-05-04T14:00:00+02:00");

    assertThat(Shown.question(request, now)).isEqualTo("p: Why. Open until 14:05.");
    assertThat(Shown.question(request, now.minusDays(2)))
        .isEqualTo("p: Why. Open until 2026-05-04 14:05.");
  }

  @Test
  void cutsNoCharacterInHalf() {
    assertThat(Shown.cut("\ud83c\udf63\ud83c\udf63\ud83c\udf63\ud83c\udf63", 6))
        .isEqualTo("\ud83c\udf63...");
  }
}
