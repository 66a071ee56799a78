package dev.switchboard.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.switchboard.text.Words.Phrase;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          What's up?            | what s up
          C++ and C#            | c + + and c #
          Zoë's CAFÉ İstanbul   | zoe s cafe istanbul
          a_b-c.d@e             | a b c d e
          2026-03-01 19:30      | 2026 03 01 19 30
          12,50 € and $5        | 12 50 € and $ 5
          🍕👍🏽 ❤️                | 🍕 👍 🏽 ❤
          東京都                | 東京都 京都 都
          iPhone手机            | iphone 手机 机
          ｆｕｌｌ ½            | full 1 2
          हिन्दी                 | हिन्दी
          ?! ... () -- & `       | ''
          """)
  void cutsTexts(String text, String words) {
    assertThat(String.join(" ", Words.of(text))).isEqualTo(words);
  }

  @Test
  void whatHangsTogetherIsAPhrase() {
    assertThat(Words.sought("anna@example.com, 2026-03-01 dog dog (C++)"))
        .containsExactly(
            phrase("anna", "example", "com"),
            phrase("2026", "03", "01"),
            phrase("dog"),
            phrase("c", "+", "+"));
    assertThat(Words.sought("from:dog cat/dog 19:30")).hasSize(4).contains(phrase("19", "30"));
  }

  @Test
  void ofScriptsWithoutSpacesThePartsAreSought() {
    assertThat(Words.sought("京")).containsExactly(new Phrase(List.of("京"), true));
    assertThat(Words.sought("東京")).containsExactly(new Phrase(List.of("東京"), true));
    assertThat(Words.sought("東京都")).containsExactly(phrase("東京都"));
    assertThat(Words.sought("東京都心")).containsExactly(phrase("東京都", "京都心"));
    assertThat(Words.sought("東京都心部")).containsExactly(phrase("東京都"), phrase("京都心"), phrase("都心部"));
  }

  @Test
  void countsWhereAPhraseStands() {
    List<String> text = Words.of("c++ c + + c# 東京 東京都");
    assertThat(phrase("c", "+", "+").count(text)).isEqualTo(2);
    assertThat(phrase("c").count(text)).isEqualTo(3);
    assertThat(new Phrase(List.of("東京"), true).count(text)).isEqualTo(2);
    assertThat(phrase("absent").count(List.of())).isZero();
  }

  @Test
  void keepsWithinBounds() {
    assertThat(Words.of("x ".repeat(20_000))).hasSize(16_000);
    assertThat(Words.of("y".repeat(1_000))).containsExactly("y".repeat(64));
    String many = String.join(" ", IntStream.range(0, 100).mapToObj(i -> "w" + i).toList());
    assertThat(Words.sought(many)).hasSize(64);
    assertThat(Words.sought("a.".repeat(100)))
        .containsExactly(
            phrase("a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a"),
            phrase("a", "a", "a", "a"));
  }

  private static Phrase phrase(String... words) {
    return new Phrase(List.of(words), false);
  }

  @Test
  void marksWithoutEndTakeNoTimeWithoutEnd() {
    String text = "one" + "\u0f71\u0f72\u0f74".repeat(200_000) + " two";
    assertThat(assertTimeoutPreemptively(Duration.ofMinutes(5), () -> Words.of(text)))
        .hasSize(2)
        .endsWith("two");
  }
}
