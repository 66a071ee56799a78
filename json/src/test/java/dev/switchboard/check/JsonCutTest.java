package dev.switchboard.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonCutTest {
  @Test
  void cutsMembersOutAsTheyAreWritten() {
    assertThat(JsonCut.object(" { \"a\" : 1 ,\"b\":{\"x\":[\"}\\\"\"]} , \"c\":\"s\" } "))
        .isEqualTo(
            new JsonCut(
                List.of("a", "b", "c"), List.of("1", "{\"x\":[\"}\\\"\"]}", "\"s\""), true));
    assertThat(JsonCut.object("{}")).isEqualTo(new JsonCut(List.of(), List.of(), true));
  }

  @Test
  void cutsItemsOut() {
    assertThat(JsonCut.array("[1, [2], {\"a\":3}]"))
        .isEqualTo(new JsonCut(List.of(), List.of("1", "[2]", "{\"a\":3}"), true));
  }

  @Test
  void readsTheNamesOfMembers() {
    assertThat(JsonCut.object("{\"\\u0069d\":1}").names()).containsExactly("id");
  }

  @Test
  void keepsWhatStandsBeforeABreak() {
    assertThat(JsonCut.object("{\"id\":\"c1\",\"arguments\":{\"a\":"))
        .isEqualTo(new JsonCut(List.of("id", "arguments"), List.of("\"c1\"", "{\"a\":"), false));
  }

  @Test
  void nestsWithoutEnd() {
    String deep = "[".repeat(1_000_000);

    assertThat(JsonCut.object("{\"a\":" + deep).whole()).isFalse();
    assertThat(JsonCut.array(deep + "]".repeat(1_000_000)).whole()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[",
        "{",
        "{}x",
        "{,}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":1 2}",
        "{a:1}",
        "{\"a\":[}]}",
        "{\"a\":\"\\",
        "{\"a\":1}\u0000"
      })
  void aBrokenTextIsNotWhole(String text) {
    assertThat(JsonCut.object(text).whole()).isFalse();
  }
}
