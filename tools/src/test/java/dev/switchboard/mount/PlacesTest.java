package dev.switchboard.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
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
  void fullShareLeavesRoomForOthers(Bound bound) {
    Places places = new Places(bound);
    places.acquire("bob", bound.each() - 1);
    places.acquire("bob");
    assertThatThrownBy(() -> places.acquire("bob"))
        .isInstanceOf(FullException.class)
        .hasMessage("This principal has reached its limit of %d %s.", bound.each(), bound.what());
    Places.Place first = places.acquire("ada");
    for (int i = 0; places.size() < bound.all(); i++) {
      places.acquire("p" + i, Math.min(bound.each(), bound.all() - places.size()));
    }
    assertThatThrownBy(() -> places.acquire("eve"))
        .hasMessage("The server has reached its limit of %d %s.", bound.all(), bound.what());
    first.close();
    first.close();
    assertThat(places.size()).isEqualTo(bound.all() - 1);
    places.acquire("eve");
  }

  @ParameterizedTest
  @EnumSource(Bound.class)
  void twoUsersOfATokenLeaveRoomForAStranger(Bound bound) {
    Places places = small(bound);
    for (String user : List.of("shop/one", "shop/two")) {
      while (!places.isFull(user)) {
        places.acquire(user);
      }
    }
    for (int i = 0; !places.isFull("shop/" + i); i++) {
      places.acquire("shop/" + i);
    }
    assertThat(places.size()).isLessThanOrEqualTo(bound.all() / 2);
    places.acquire("ada");
    places.acquire("shop");
  }

  @ParameterizedTest
  @EnumSource(Bound.class)
  void anotherWholeIsSharedLikeTheUsualOne(Bound bound) {
    Places places = new Places(bound, 4);
    places.acquire("shop/one");
    places.acquire("shop/two");
    assertThat(places.full("shop/three")).isEqualTo(Places.Full.TOKEN);
    Places.Place first = places.acquire("ada");
    places.acquire("ada");
    assertThat(places.full("ada")).isEqualTo(Places.Full.ALL);
    first.close();
    assertThat(places.isFull("ada")).isFalse();
  }

  @Test
  void whoUsesTheProcessItselfMayHaveAllWhereItIsAlone() {
    Places letters = new Places(Bound.LETTERS, 4);
    Places calls = new Places(Bound.CALLS, 4);
    for (int i = 0; i < 4; i++) {
      assertThat(letters.full("local")).isNull();
      letters.enter("local");
      calls.enter("local");
    }
    assertThat(letters.full("local")).isEqualTo(Places.Full.ALL);
    calls.enter("local").close();
    assertThat(calls.of("local")).isEqualTo(4);
  }

  @Test
  void whatIsTakenAsOneFitsAsAWholeOrNotAtAll() {
    Places places = new Places(Bound.MESSAGES, 100);
    Places.Place place = places.acquire("bob", 40);
    assertThatThrownBy(() -> places.acquire("bob", 11))
        .hasMessage("This principal has reached its limit of 50 bytes of messages in turns.");
    assertThatThrownBy(() -> places.acquire("bob", Long.MAX_VALUE))
        .isInstanceOf(FullException.class);
    places.acquire("bob", 10);
    places.acquire("ada", 50);
    assertThatThrownBy(() -> places.acquire("eve", 1))
        .hasMessage("The server has reached its limit of 100 bytes of messages in turns.");
    places.acquire("bob", 0);
    place.close();
    assertThat(places.of("bob")).isEqualTo(10);
    places.change("bob", -10);
    assertThat(places.of("bob")).isZero();
    assertThat(places.size()).isEqualTo(50);
  }

  @Test
  void theUsersOfATokenHaveAtMostHalfTogether() {
    Places places = new Places(Bound.MCP_CALLS);
    for (int i = 0; i < Bound.MCP_CALLS.all() / 2; i++) {
      places.acquire("shop/" + i);
    }
    assertThatThrownBy(() -> places.acquire("shop/new"))
        .hasMessage("The users of this token have reached their limit of 500 MCP calls under way.");
    places.acquire("shop");
    places.acquire("ada");
    assertThat(places.of("shop")).isEqualTo(1);
  }

  /// Those of a part of the heap are millions.
  private static Places small(Bound bound) {
    return bound.partsOfHeap() == 0 ? new Places(bound) : new Places(bound, 1_000);
  }
}
