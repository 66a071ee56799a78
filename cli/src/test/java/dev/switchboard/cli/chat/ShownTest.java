package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShownTest {
  @Test
  void takesControlCharactersOut() {
    assertThat(Shown.words("a\u001b[31mb\u0007\n\tc\r\u009b")).isEqualTo("a[31mb\n\tc");
    assertThat(Shown.line(" a\n\u001bb\t c ")).isEqualTo("a b c");
  }

  @Test
  void cutsAtColumns() {
    assertThat(Shown.cut("abcdef", 6)).isEqualTo("abcdef");
    assertThat(Shown.cut("abcdefg", 6)).isEqualTo("abc...");
    assertThat(Shown.cut("\u5bff\u53f8\u5bff\u53f8", 8)).isEqualTo("\u5bff\u53f8\u5bff\u53f8");
    assertThat(Shown.cut("\u5bff\u53f8\u5bff\u53f8", 7)).isEqualTo("\u5bff\u53f8...");
  }

  @Test
  void cutsNoCharacterInHalf() {
    assertThat(Shown.cut("\ud83c\udf63\ud83c\udf63\ud83c\udf63\ud83c\udf63", 6))
        .isEqualTo("\ud83c\udf63...");
  }
}
