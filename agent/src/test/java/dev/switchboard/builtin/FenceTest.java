package dev.switchboard.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FenceTest {
  private final Fence fence = Fence.of("block", "memory");

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "\r\n", "\u00a0", "\u2003", "\u2028", "\u3000", "\u200b", "\u202e", "\0"})
  void nothingUnseenHidesAMark(String unseen) {
    assertThat(fence.harmless("<" + unseen + "/" + unseen + "BLOCK>x<" + unseen + "memory"))
        .isEqualTo("&lt;" + unseen + "/" + unseen + "BLOCK>x&lt;" + unseen + "memory");
    String other = "1 <" + unseen + "/ 2 <" + unseen + "b>";
    assertThat(fence.harmless(other)).isEqualTo(other);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\ufe0f",
        "\u034f",
        "\udb40\udd00",
        "\u3164",
        "\u180b",
        "\u2800",
        "\u17b4",
        "\u200b",
        "\u00ad",
        "\u2060",
        "\udb40\udc41",
        "\u061c",
        "\ud800"
      })
  void nothingUnseenHidesANameOrASlash(String unseen) {
    assertThat(fence.harmless("<" + unseen + "/block>")).startsWith("&lt;");
    assertThat(fence.harmless("</" + unseen + "block>")).startsWith("&lt;");
    assertThat(fence.harmless("</bl" + unseen + "ock>")).startsWith("&lt;");
    assertThat(fence.harmless("<bloc" + unseen + unseen + "K label")).startsWith("&lt;");
    String other = "<bl" + unseen + "ow> <b" + unseen + "> 1 < 2";
    assertThat(fence.harmless(other)).isEqualTo(other);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<//block>", "< / / block>", "\uff1c/block\uff1e", "\ufe64block", "<\uff0fblock>",
        "</bloc\u212a>", "</\uff42\uff4c\uff4f\uff43\uff4b>", "<\ud835\udc1bLOCK>", "<block",
            "<MEMORY"
      })
  void noOtherWayToWriteAMarkIsOne(String mark) {
    assertThat(fence.harmless("x" + mark)).startsWith("x&lt;").doesNotContain("x<");
  }

  @Test
  void whatIsNotAMarkStaysAsItIs() {
    String text =
        "a < b, </div>, <blo ck>, <b l o c k>, &lt;block>, \uff1cfrom, <<<, 3 \u2264 4, <";
    assertThat(fence.harmless(text)).isEqualTo(text);
  }

  @Test
  void aLongTextOfUnseenCharactersTakesNoLonger() {
    String text = ("<" + "\u200b".repeat(100)).repeat(4_000) + "<b" + "\ufe0f/".repeat(200_000);
    assertThat(assertTimeoutPreemptively(Duration.ofMinutes(5), () -> fence.harmless(text)))
        .isEqualTo(text);
  }

  @Tag("slow")
  @Test
  void aLongTextTakesNoLongerThanItsLength() {
    String text = "<" + " ".repeat(400_000) + "<".repeat(400_000);
    assertThat(assertTimeoutPreemptively(Duration.ofMinutes(5), () -> fence.harmless(text)))
        .isEqualTo(text);
  }
}
