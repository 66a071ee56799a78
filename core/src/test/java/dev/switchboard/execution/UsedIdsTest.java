package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UsedIdsTest {
  private final UsedIds used = new UsedIds();

  @Test
  void knowsEveryIdThatWasAddedAndNoOther() {
    IntStream.range(0, 100_000).forEach(n -> used.add("call_" + n));
    assertThat(IntStream.range(0, 100_000).allMatch(n -> used.mayHold("call_" + n))).isTrue();
    assertThat(IntStream.range(100_000, 300_000).noneMatch(n -> used.mayHold("call_" + n)))
        .isTrue();
  }

  @Test
  void tellsIdsApartThatStringHashesDoNot() {
    used.add("AaAaAa");
    assertThat("BBBBBB".hashCode()).isEqualTo("AaAaAa".hashCode());
    assertThat(used.mayHold("BBBBBB")).isFalse();
    assertThat(used.mayHold("AaAaAa\0")).isFalse();
    assertThat(used.mayHold("")).isFalse();
    used.add("");
    assertThat(used.mayHold("")).isTrue();
  }

  @Test
  void holdsEveryIdToBeUsedOnceTheyAreTooMany() {
    IntStream.range(0, UsedIds.MOST).forEach(n -> used.add("call_" + n));
    assertThat(used.isFull()).isFalse();
    assertThat(used.mayHold("new")).isFalse();
    used.add("one more");
    assertThat(used.isFull()).isTrue();
    assertThat(used.mayHold("new")).isTrue();
    assertThat(used.mayHold("call_1")).isTrue();
  }
}
