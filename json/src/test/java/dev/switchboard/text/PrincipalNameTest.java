package dev.switchboard.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrincipalNameTest {
  @Test
  void onlyAKnownOwnerIsAnotherThanAKnownPrincipal() {
    assertThat(PrincipalName.isOthers("zoe", "yan")).isTrue();
    assertThat(PrincipalName.isOthers("zoe", "Zoe")).isTrue();
    assertThat(PrincipalName.isOthers("zoe", "zoe")).isFalse();
    assertThat(PrincipalName.isOthers(null, "zoe")).isFalse();
    assertThat(PrincipalName.isOthers("zoe", null)).isFalse();
  }
}
