package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class UsedIdsTest {
  private final UsedIds used = new UsedIds();

  private boolean addsAll(int from, int to) {
    return IntStream.range(from, to).allMatch(n -> used.add("call_" + n));
  }

  @Test
  void knowsEveryIdThatWasAddedAndNoOther() {
    assertThat(addsAll(0, 100_000)).isTrue();
    assertThat(IntStream.range(0, 100_000).noneMatch(n -> used.add("call_" + n))).isTrue();
    assertThat(addsAll(100_000, 300_000)).isTrue();
  }

  @Test
  void tellsIdsApartThatStringHashesDoNot() {
    assertThat("BBBBBB".hashCode()).isEqualTo("AaAaAa".hashCode());
    assertThat(used.add("AaAaAa")).isTrue();
    assertThat(used.add("BBBBBB")).isTrue();
    assertThat(used.add("AaAaAa\0")).isTrue();
    assertThat(used.add("")).isTrue();
    assertThat(used.add("")).isFalse();
  }

  @Tag("slow")
  @Test
  void refusesFurtherIdsOnceItIsFull() {
    assertThat(addsAll(0, UsedIds.MOST)).isTrue();
    assertThat(used.add("new")).isFalse();
    assertThat(used.add("call_1")).isFalse();
  }
}
