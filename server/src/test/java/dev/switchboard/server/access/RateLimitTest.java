package dev.switchboard.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.mount.Bound;
import dev.switchboard.testing.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private final ManualTime time = new ManualTime();

  @Test
  void takesABurstThenOneWhenItsTimeHasCome() {
    RateLimit limit = new RateLimit(time, 3, 0.5);

    for (int i = 0; i < 3; i++) {
      assertThat(limit.take("a")).isZero();
    }
    assertThat(limit.take("a")).isEqualTo(Duration.ofSeconds(2));
    assertThat(limit.take("a")).isEqualTo(Duration.ofSeconds(2));
    assertThat(limit.take("b")).isZero();

    time.advance(Duration.ofMillis(1_999));
    assertThat(limit.take("a")).isPositive().isLessThanOrEqualTo(Duration.ofMillis(2));
    time.advance(Duration.ofMillis(2));
    assertThat(limit.take("a")).isZero();
    assertThat(limit.take("a")).isPositive();
  }

  @Test
  void theUsersOfATokenFillHalfOfTheKeysTogether() {
    RateLimit limit = new RateLimit(time, 2, 1);
    assertThat(limit.take("other")).isZero();
    for (int i = 0; i < Bound.RATES.all() / 2; i++) {
      assertThat(limit.take("be\u001fbe/u" + i)).isZero();
    }
    assertThat(limit.take("be\u001fbe/more")).isPositive();
    assertThat(limit.take("be\u001fbe/u7")).isZero();
    assertThat(limit.take("ada")).isZero();

    time.advance(Duration.ofSeconds(2));
    assertThat(limit.take("be\u001fbe/more")).isZero();
  }

  @Test
  void neverHoldsMoreThanABurst() {
    RateLimit limit = new RateLimit(time, 2, 100);
    limit.take("a");
    time.advance(Duration.ofDays(400));

    assertThat(limit.take("a")).isZero();
    assertThat(limit.take("a")).isZero();
    assertThat(limit.take("a")).isPositive();
  }

  @Test
  void forgetsOneOnlyWhenItHasItsWholeBurstAgain() {
    RateLimit limit = new RateLimit(time, 2, 1);
    limit.take("first");
    limit.take("first");
    for (int i = 1; i < Bound.RATES.all(); i++) {
      limit.take("other" + i);
    }
    assertThat(limit.take("more")).isPositive();
    assertThat(limit.take("first")).isPositive();

    time.advance(Duration.ofSeconds(2));
    assertThat(limit.take("more")).isZero();
  }
}
