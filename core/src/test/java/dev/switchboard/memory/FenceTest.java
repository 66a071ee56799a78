package dev.switchboard.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
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

  @Test
  void aLongTextTakesNoLongerThanItsLength() {
    String text = "<" + " ".repeat(400_000) + "<".repeat(400_000);
    assertThat(assertTimeoutPreemptively(Duration.ofSeconds(5), () -> fence.harmless(text)))
        .isEqualTo(text);
  }
}
