package dev.switchboard.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The bounds of all that clients can fill.
class PlacesTest {
  @ParameterizedTest
  @EnumSource(Bound.class)
  void aShareIsAtMostHalfOfTheWhole(Bound bound) {
    assertThat(bound.each()).isPositive().isLessThanOrEqualTo(bound.all() / 2);
  }

  @ParameterizedTest
  @EnumSource(Bound.class)
  void whoFillsTheShareLeavesRoomForOthersUntilTheWholeIsFull(Bound bound) {
    Places places = new Places(bound);
    for (int i = 0; i < bound.each(); i++) {
      places.acquire("bob");
    }
    assertThatThrownBy(() -> places.acquire("bob"))
        .isInstanceOf(FullException.class)
        .hasMessage("This principal has reached its limit of %d %s.", bound.each(), bound.what());
    Places.Place first = places.acquire("ada");
    for (int i = 0; places.size() < bound.all(); i++) {
      places.acquire("p" + i / bound.each());
    }
    assertThatThrownBy(() -> places.acquire("eve"))
        .hasMessage("The server has reached its limit of %d %s.", bound.all(), bound.what());
    first.close();
    first.close();
    assertThat(places.size()).isEqualTo(bound.all() - 1);
    places.acquire("eve");
  }

  @Test
  void theUsersOfATokenHaveAtMostHalfTogether() {
    Places places = new Places(Bound.MCP_CALLS);
    for (int i = 0; i < Bound.MCP_CALLS.ofToken(); i++) {
      places.acquire("shop/" + i);
    }
    assertThatThrownBy(() -> places.acquire("shop/new"))
        .hasMessage("The users of this token have reached their limit of 500 MCP calls under way.");
    places.acquire("shop");
    places.acquire("ada");
    assertThat(places.of("shop")).isEqualTo(1);
  }
}
