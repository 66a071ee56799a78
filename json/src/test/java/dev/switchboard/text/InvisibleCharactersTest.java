package dev.switchboard.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InvisibleCharactersTest {
  @ParameterizedTest
  @ValueSource(
      ints = {
        0x0, 0x7, 0x8, 0xb, 0xd, 0x1b, 0x7f, 0x80, 0x9b, 0x9f, 0xad, 0x34f, 0x61c, 0x115f, 0x1160,
        0x17b4, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a,
        0x202e, 0x2060, 0x2065, 0x2066, 0x2069, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0,
        0xfff9, 0xd800, 0xdfff, 0xe0001, 0xe0041, 0xe007f, 0xe0100, 0xe01ef
      })
  void whatNoOneSeesIsWrittenOut(int point) {
    StringBuilder escaped = new StringBuilder();
    for (char unit : Character.toChars(point)) {
      escaped.append("\\u").append(String.format("%04x", (int) unit));
    }
    assertThat(InvisibleCharacters.is(point)).isTrue();
    assertThat(InvisibleCharacters.shown("a" + Character.toString(point) + "b"))
        .isEqualTo("a" + escaped + "b");
  }

  @Test
  void noDirectionAndNoControlIsLeft() {
    for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
      int type = Character.getType(point);
      if (type == Character.CONTROL || Character.getDirectionality(point) >= 14) {
        assertThat(InvisibleCharacters.is(point)).as("U+%04X", point).isTrue();
      }
    }
  }

  @Test
  void whatIsReadStaysAsItIs() {
    for (String text :
        List.of(
            "Zoë, naïve, e\u0301\n\tand a tab",
            "\ud83d\udc69\ud83c\udffd\u200d\ud83d\udcbb \u2764\ufe0f 1\ufe0f\u20e3",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0915\u094d\u200d\u0937",
            "\u5bff\u53f8 \u845b\udb40\udd00 \u06dd \u00a0\u3000 \ufffd")) {
      assertThat(InvisibleCharacters.shown(text)).isEqualTo(text);
    }
  }

  @Test
  void joinersHideNothingBetweenOtherLetters() {
    assertThat(InvisibleCharacters.shown("a\u200db 1\ufe0f0 \ud83d\udc69\u200d\u200dx"))
        .isEqualTo("a\\u200db 1\\ufe0f0 \ud83d\udc69\u200d\\u200dx");
  }

  @Test
  void aLineIsOne() {
    assertThat(InvisibleCharacters.line("a\nb\tc\rd\u2028e"))
        .isEqualTo("a\\nb\\tc\\u000dd\\u2028e");
  }
}
