package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallIdsTest {
  private static final CallIds PLAIN = new CallIds(40, true);
  private static final CallIds ANY = new CallIds(40, false);

  @Test
  void leavesIdsThatAreAccepted() {
    assertThat(PLAIN.of("call_1-A")).isEqualTo("call_1-A");
    assertThat(PLAIN.of("x".repeat(40))).hasSize(40);
    assertThat(ANY.of("functions.f:0")).isEqualTo("functions.f:0");
  }

  @Test
  void replacesAnIdThatIsTooLongOrHasOtherCharacters() {
    assertThat(ANY.of("x".repeat(41))).matches("[0-9a-f]{32}");
    assertThat(PLAIN.of("functions.f:0")).matches("[0-9a-f]{32}");
    assertThat(PLAIN.of("ä")).matches("[0-9a-f]{32}");
  }

  @Test
  void replacesEqualIdsByEqualOnes() {
    assertThat(PLAIN.of("functions.f:0"))
        .isEqualTo(PLAIN.of("functions.f:0"))
        .isNotEqualTo(PLAIN.of("functions.f:1"));
  }
}
