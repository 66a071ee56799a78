package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jline.utils.WCWidth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineWrapperTest {
  private final LineWrapper wrapping = new LineWrapper();

  @Test
  void aWordThatTurnsOutTooLongIsTakenToTheNextLine() {
    assertThat(wrapping.next("A sentence, interna", 21, 0))
        .isEqualTo(new LineWrapper.Piece(0, "A sentence, interna"));
    assertThat(wrapping.next("tional", 21, 0))
        .isEqualTo(new LineWrapper.Piece(7, "\ninternational"));
  }

  @Test
  void blanksAtTheEdgeAreTheBreak() {
    assertThat(text(wrapping, "12345678901234567890  b", 21)).isEqualTo("12345678901234567890\nb");
    assertThat(text(wrapping, "\n  indented", 21)).isEqualTo("\n  indented");
  }

  @Test
  void aWordLongerThanTheScreenIsBroken() {
    assertThat(text(wrapping, "x".repeat(45), 21))
        .isEqualTo("x".repeat(20) + "\n" + "x".repeat(20) + "\n" + "x".repeat(5));
  }

  @Test
  void wideLettersTakeTwoColumnsAndBreakAnywhere() {
    assertThat(text(wrapping, "\u8a9e".repeat(12), 21))
        .isEqualTo("\u8a9e".repeat(10) + "\n" + "\u8a9e".repeat(2));
    assertThat(text(new LineWrapper(), "x" + "\u8a9e".repeat(12), 21))
        .isEqualTo("x" + "\u8a9e".repeat(9) + "\n" + "\u8a9e".repeat(3));
  }

  @Test
  void brokenLinesHang() {
    assertThat(wrapping.next("- one two three four five six", 21, 2))
        .isEqualTo(new LineWrapper.Piece(0, "- one two three four\n  five six"));
    assertThat(wrapping.next(" seven eig", 21, 2).text()).isEqualTo(" seven eig");
    assertThat(wrapping.next("hteen", 21, 2)).isEqualTo(new LineWrapper.Piece(3, "\n  eighteen"));
    assertThat(wrapping.next("\n" + "x".repeat(40), 21, 2).text())
        .isEqualTo("\n" + "x".repeat(20) + "\n  " + "x".repeat(18) + "\n  xx");
    assertThat(wrapping.next("\n" + "x".repeat(30), 21, 60).text())
        .isEqualTo("\n" + "x".repeat(20) + "\n" + " ".repeat(10) + "x".repeat(10));
  }

  @Test
  void aNarrowOrUnknownScreenBreaksItsOwnLines() {
    assertThat(text(wrapping, "x".repeat(50), 0)).isEqualTo("x".repeat(50));
    assertThat(text(wrapping, "x".repeat(50), 19)).isEqualTo("x".repeat(50));
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
    LineWrapper inPieces = new LineWrapper();
    List<LineWrapper.Piece> pieces = new ArrayList<>();
    for (int at = 0; at < text.length(); ) {
      int end = Math.min(text.length(), at + 1 + random.nextInt(7));
      pieces.add(inPieces.next(text.substring(at, end), 24, 0));
      at = end;
    }

    List<String> whole = screen(List.of(wrapping.next(text.toString(), 24, 0)));

    assertThat(screen(pieces)).isEqualTo(whole);
    assertThat(whole).allMatch(line -> Shown.width(line) <= 23);
    assertThat(String.join("", whole).replace(" ", ""))
        .isEqualTo(text.toString().replaceAll("[ \n]", ""));
  }

  private static String text(LineWrapper wrapping, String text, int width) {
    LineWrapper.Piece piece = wrapping.next(text, width, 0);
    assertThat(piece.back()).isZero();
    return piece.text();
  }

  /// The lines of a terminal that was given these.
  private static List<String> screen(List<LineWrapper.Piece> pieces) {
    StringBuilder all = new StringBuilder();
    for (LineWrapper.Piece piece : pieces) {
      String moved = all.substring(all.length() - piece.back());
      assertThat(moved.chars().allMatch(letter -> WCWidth.wcwidth(letter) == 1)).isTrue();
      all.setLength(all.length() - piece.back());
      all.append(piece.text());
    }
    return all.toString().lines().map(String::stripTrailing).toList();
  }
}
