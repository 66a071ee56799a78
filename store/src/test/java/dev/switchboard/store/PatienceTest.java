package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private final ManualTime time = new ManualTime();
  private final Patience patience = new Patience(time);

  private Duration left() {
    return Duration.ofNanos(patience.until() - time.nanos());
  }

  private void blockedFor(Duration length) {
    long began = time.nanos();
    for (Duration done = Duration.ZERO; done.compareTo(length) < 0; done = done.plusMillis(500)) {
      patience.blocked(began);
      time.advance(Duration.ofMillis(500));
    }
  }

  @Test
  void allWhoWaitGiveUpTogether() {
    assertThat(left()).isEqualTo(Patience.MOST);
    blockedFor(Duration.ofSeconds(2));

    assertThat(left()).isEqualTo(Patience.MOST.minusSeconds(2));
    blockedFor(Duration.ofSeconds(8));
    assertThat(left()).isLessThan(Duration.ofMillis(20)).isPositive();
  }

  @Test
  void anotherWaitBeginsOnceTheDatabaseHasAnswered() {
    blockedFor(Duration.ofSeconds(4));
    patience.open();

    assertThat(left()).isEqualTo(Patience.MOST);
  }

  @Test
  void anotherWaitBeginsAfterAPause() {
    blockedFor(Duration.ofSeconds(4));
    time.advance(Duration.ofSeconds(1));

    assertThat(left()).isEqualTo(Patience.MOST);
  }

  @Test
  void workWaitsNoLongerThanItMay() {
    Duration within = patience.within(Duration.ofMillis(300), this::left);
    Duration inner =
        patience.within(
            Duration.ofMillis(300), () -> patience.within(Duration.ofDays(1), this::left));

    assertThat(within).isEqualTo(Duration.ofMillis(300));
    assertThat(inner).isEqualTo(Duration.ofMillis(300));
    assertThat(left()).isEqualTo(Patience.MOST);
    boolean positive = patience.within(Duration.ZERO, () -> left().isPositive());
    assertThat(positive).isTrue();
  }
}
