package dev.switchboard.toml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;

class TomlTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "he\"\n",
        "= =\n",
        "]\n",
        "[a\n",
        "[[a]\n",
        "a b\n",
        "a = \n",
        "a = 'x\n",
        "\u0001\n",
        "a = 2020-99-99x\n",
        "a = [[[[[\n",
        "a = {{\n",
        "\"\"\"x\n"
      })
  void readsOnlyTheBeginningOfALongTextThatIsNotToml(String line) {
    TomlText text = TomlText.parse("[agent]\n" + line.repeat(1_000_000 / line.length()));

    assertThat(text.errors()).hasSizeBetween(1, 6_000);
    assertThat(text.errors().getFirst().position().line()).isLessThan(4_000);
  }

  @Tag("slow")
  @Test
  void readsALongTextToItsEnd() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; text.length() < 200_000; i++) {
      text.append("k").append(i).append(" = \"\"\"\na\n\"\"\"\n");
    }

    assertThat(TomlText.parse(text.toString()).errors()).isEmpty();
    assertThat(TomlText.parse(text + "k0 = 1\n").errors()).hasSize(1);
    assertThat(TomlText.parse(text + "last = 1\n").document().getLong("last")).isEqualTo(1);
  }

  @Test
  void namesTheErrorsOfALongTextAsThoseOfAShortOne() {
    String broken = "a = 1\nb =\nc = \"\nd = 1\n";
    String good = "k = \"\"\"\n" + "x\n".repeat(20_000) + "\"\"\"\n";

    List<String> errors = TomlText.parse(broken + good).errors().stream().map(this::line).toList();

    assertThat(errors).isEqualTo(Toml.parse(broken).errors().stream().map(this::line).toList());
  }

  @Test
  void aShortTextIsReadWhole() {
    assertThat(TomlText.parse("a = 1\nb =\n").errors()).hasSize(1);
    assertThat(TomlText.parse("").errors()).isEmpty();
  }

  private String line(TomlParseError error) {
    return error.toString();
  }
}
