package dev.switchboard.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class UniqueIdTest {
  @Test
  void uuidsAreOfAKindOfTheirOwnAndAllDiffer() {
    UUID one = UUID.fromString(UniqueId.nextUuid());
    assertThat(one.version()).isEqualTo(8);
    assertThat(one.variant()).isEqualTo(2);
    assertThat(UniqueId.nextUuid()).hasSize(36).isNotEqualTo(one.toString());
  }
}
