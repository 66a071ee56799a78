package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jline.utils.WCWidth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrappingTest {
  private final Wrapping wrapping = new Wrapping();

  @Test
  void aWordThatTurnsOutTooLongIsTakenToTheNextLine() {
    assertThat(wrapping.next("A sentence, interna", 21)).isEqualTo("A sentence, interna");
    assertThat(wrapping.next("tional", 21)).isEqualTo("\u001b[7D\u001b[K\ninternational");
  }

  @Test
  void blanksAtTheEdgeAreTheBreak() {
    assertThat(wrapping.next("12345678901234567890  b", 21)).isEqualTo("12345678901234567890\nb");
    assertThat(wrapping.next("\n  indented", 21)).isEqualTo("\n  indented");
  }

  @Test
  void aWordLongerThanTheScreenIsBroken() {
    assertThat(wrapping.next("x".repeat(45), 21))
        .isEqualTo("x".repeat(20) + "\n" + "x".repeat(20) + "\n" + "x".repeat(5));
  }

  @Test
  void wideLettersTakeTwoColumnsAndBreakAnywhere() {
    assertThat(wrapping.next("\u8a9e".repeat(12), 21))
        .isEqualTo("\u8a9e".repeat(10) + "\n" + "\u8a9e".repeat(2));
    assertThat(new Wrapping().next("x" + "\u8a9e".repeat(12), 21))
        .isEqualTo("x" + "\u8a9e".repeat(9) + "\n" + "\u8a9e".repeat(3));
  }

  @Test
  void aNarrowOrUnknownScreenBreaksItsOwnLines() {
    assertThat(wrapping.next("x".repeat(50), 0)).isEqualTo("x".repeat(50));
    assertThat(wrapping.next("x".repeat(50), 19)).isEqualTo("x".repeat(50));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverThePiecesTheScreenShowsTheSame(long seed) {
    Random random = new Random(seed);
    String letters = "abcdefgh   \n\u8a9e\u00e9\u0301,";
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 400; i++) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    Wrapping inPieces = new Wrapping();
    StringBuilder pieces = new StringBuilder();
    for (int at = 0; at < text.length(); ) {
      int end = Math.min(text.length(), at + 1 + random.nextInt(7));
      pieces.append(inPieces.next(text.substring(at, end), 24));
      at = end;
    }

    List<String> whole = screen(wrapping.next(text.toString(), 24));

    assertThat(screen(pieces.toString())).isEqualTo(whole);
    assertThat(whole).allMatch(line -> Shown.width(line) <= 23);
    assertThat(String.join("", whole).replace(" ", ""))
        .isEqualTo(text.toString().replaceAll("[ \n]", ""));
  }

  /// The lines of a terminal that was given this.
  private static List<String> screen(String output) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < output.length(); i++) {
      char c = output.charAt(i);
      if (c == '\n') {
        lines.add(line.toString());
        line.setLength(0);
      } else if (c == '\u001b' && output.charAt(i + 2) == 'K') {
        i += 2;
      } else if (c == '\u001b') {
        int end = output.indexOf('D', i);
        int back = Integer.parseInt(output.substring(i + 2, end));
        assertThat(line.substring(line.length() - back))
            .matches(word -> word.chars().allMatch(letter -> WCWidth.wcwidth(letter) == 1));
        line.setLength(line.length() - back);
        i = end;
      } else {
        line.append(c);
      }
    }
    lines.add(line.toString());
    return lines.stream().map(String::stripTrailing).toList();
  }
}
