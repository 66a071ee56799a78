package dev.switchboard.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The alarms of the clock made by hand.
class ManualTimeTest {
  private final ManualTime time = new ManualTime();
  private final List<String> heard = new ArrayList<>();

  private void alarm(Duration at, String word) {
    time.alarm(at.toNanos(), () -> heard.add(word));
  }

  @Test
  void letsAlarmsGoOffInOrderWhenTheirMomentHasCome() {
    alarm(Duration.ofSeconds(2), "two");
    alarm(Duration.ofSeconds(1), "one");
    time.advance(Duration.ofMillis(999));
    assertThat(heard).isEmpty();
    time.advance(Duration.ofMillis(1));
    assertThat(heard).containsExactly("one");
    time.advance(Duration.ofHours(1));
    assertThat(heard).containsExactly("one", "two");
  }

  @Test
  void letsAnAlarmGoOffThatAnotherSets() {
    time.alarm(1, () -> alarm(Duration.ofNanos(2), "two"));
    time.advance(Duration.ofNanos(2));
    assertThat(heard).containsExactly("two");
  }

  @Test
  void letsAnAlarmOfThePastGoOffAtOnce() {
    time.advance(Duration.ofSeconds(1));
    alarm(Duration.ofSeconds(1), "past");
    assertThat(heard).containsExactly("past");
  }

  @Test
  void forgetsACancelledAlarm() {
    time.alarm(1, () -> heard.add("cancelled")).cancel();
    time.advance(Duration.ofSeconds(1));
    assertThat(heard).isEmpty();
  }

  @Test
  void takesAnAlarmForOneWhoWaits() {
    alarm(Duration.ofSeconds(1), "one");
    Thread waiting =
        Thread.startVirtualThread(
            () -> time.await(new Time.Signal(), Duration.ofSeconds(1).toNanos()));
    time.awaitSleepers(2);
    time.advance(Duration.ofSeconds(1));
    assertThat(heard).containsExactly("one");
    assertThat(waiting)
        .satisfies(thread -> assertThat(thread.join(Duration.ofMinutes(5))).isTrue());
  }
}
