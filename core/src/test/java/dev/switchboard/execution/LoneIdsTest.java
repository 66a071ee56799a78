package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class LoneIdsTest {
  @Test
  void areUuidsOfAKindOfTheirOwnThatAllDiffer() {
    UUID one = UUID.fromString(LoneIds.next());
    assertThat(one.version()).isEqualTo(8);
    assertThat(one.variant()).isEqualTo(2);
    assertThat(LoneIds.next()).hasSize(36).isNotEqualTo(one.toString());
  }
}
