package dev.switchboard.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
  void neverHoldsMoreThanABurst() {
    RateLimit limit = new RateLimit(time, 2, 100);
    limit.take("a");
    time.advance(Duration.ofDays(400));

    assertThat(limit.take("a")).isZero();
    assertThat(limit.take("a")).isZero();
    assertThat(limit.take("a")).isPositive();
  }

  @Test
  void forgetsTheOneUsedLongestAgo() {
    RateLimit limit = new RateLimit(time, 1, 0.001);
    limit.take("first");
    for (int i = 0; i < 9_999; i++) {
      limit.take("other" + i);
    }
    assertThat(limit.take("first")).isPositive();
    for (int i = 0; i < 10_000; i++) {
      limit.take("more" + i);
    }
    assertThat(limit.take("first")).isZero();
  }

  @Test
  void streamsAreLimitedForEachAndForAll() {
    ConcurrencyLimit limit = new ConcurrencyLimit("streams", 2, 3);
    Principal ada = new Principal("ada", Role.CHAT);
    Principal bob = new Principal("bob", Role.CHAT);

    ConcurrencyLimit.Place first = limit.acquire(ada);
    limit.acquire(ada);
    assertThatThrownBy(() -> limit.acquire(ada))
        .hasMessage("This principal has 2 streams open.")
        .isInstanceOfSatisfying(
            Problem.class, problem -> assertThat(problem.status()).isEqualTo(429));
    limit.acquire(bob);
    assertThatThrownBy(() -> limit.acquire(bob)).hasMessage("The server has 3 streams open.");

    first.close();
    first.close();
    assertThat(limit.size()).isEqualTo(2);
    limit.acquire(ada);
    assertThat(limit.size()).isEqualTo(3);
    assertThatThrownBy(() -> limit.acquire(ada)).isInstanceOf(Problem.class);
  }
}
