package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.json.Json;
import dev.switchboard.state.Cell.Version;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Lease;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Events of a turn go with what the turn writes next.
class JoinedEventsTest {
  private static final ConversationLease LEASE =
      new ConversationLease(
          "c", null, new LeaseTerms(null, LeaseTerms.LENGTH, 1, false), Time.SYSTEM, () -> {});

  private static final int TIMES = 300;

  private final InProcessConversations store = new InProcessConversations();
  // Of what was told so far, how much is there once something is written that is no event.
  private final List<Long> beside = Collections.synchronizedList(new ArrayList<>());
  private final Journal journal = new Journal("c", "local", watched(), () -> LEASE);
  private final List<Event.Logged> shown = Collections.synchronizedList(new ArrayList<>());
  private final EventLog log = new EventLog(journal, Time.SYSTEM, shown::add);

  @BeforeEach
  void hold() {
    Lease lease = new Lease(1, Instant.MAX);
    assertThat(
            store
                .state("c")
                .replace(
                    new Version<>(0, ConversationState.NEW),
                    ConversationState.NEW.withLease(lease)))
        .isTrue();
  }

  private ConversationStore watched() {
    return (ConversationStore)
        Proxy.newProxyInstance(
            JoinedEventsTest.class.getClassLoader(),
            new Class<?>[] {ConversationStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("gathers")) {
                return false;
              }
              try {
                Object outcome = method.invoke(store, arguments);
                if (method.getName().equals("write")) {
                  wrote((Writing) arguments[2]);
                }
                return outcome;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void wrote(Writing writing) {
    if (writing.state() != null || !writing.lines().isEmpty()) {
      beside.add((long) store.events("c", 0, 10_000).size());
    }
  }

  private static Event fault(String code) {
    return new Event.Failed("m", code, Map.of());
  }

  @Test
  void whatIsWrittenHasTheEventsBeforeIt() {
    for (int i = 1; i <= TIMES; i++) {
      log.append(fault("one"));
      journal.defer(new Line("line" + i, Json.EMPTY_OBJECT));
      journal.flush();
    }
    assertThat(log.flush()).isNull();

    assertThat(beside).containsExactlyElementsOf(counting(TIMES));
    assertThat(shown).extracting(Event.Logged::number).containsExactlyElementsOf(counting(TIMES));
  }

  @Test
  void writesLoneEventsAfterFiveMilliseconds() {
    ManualTime time = new ManualTime();
    EventLog alone = new EventLog(journal, time, shown::add);
    for (int moment = 0; moment < 3; moment++) {
      int before = 2 * moment;
      alone.append(fault("first"));
      time.advance(Duration.ofMillis(4));
      alone.append(fault("second"));
      assertThat(store.events("c", 0, 9)).hasSize(before);

      time.advance(Duration.ofMillis(1));
      Awaitility.await().until(() -> shown.size() == before + 2);
      assertThat(store.events("c", 0, 9)).isEqualTo(shown);
    }
  }

  private static List<Long> counting(int to) {
    return LongStream.rangeClosed(1, to).boxed().toList();
  }

  @Test
  void theStateHasTheEventsBeforeIt() {
    for (int i = 1; i <= TIMES; i++) {
      log.append(fault("one"));
      Version<ConversationState> known = journal.load();
      assertThat(journal.replace(known, known.value().turn(i))).isTrue();
    }
    assertThat(log.flush()).isNull();

    assertThat(beside).containsExactlyElementsOf(counting(TIMES));
  }

  @Test
  void eventsOfFailedWriteAreLoggedOnce() {
    Version<ConversationState> stale = new Version<>(7, journal.load().value());
    for (int i = 0; i < TIMES; i++) {
      log.append(fault("one"));
      assertThat(journal.replace(stale, stale.value().turn(1))).isFalse();
    }
    assertThat(log.flush()).isNull();

    assertThat(shown).extracting(Event.Logged::number).containsExactlyElementsOf(counting(TIMES));
    assertThat(store.events("c", 0, 10_000)).hasSize(TIMES);
  }

  @Test
  void eventsAreWrittenByThemselvesWhereNothingElseIs() {
    log.append(fault("one"));

    assertThat(log.flush()).isNull();
    assertThat(shown).hasSize(1);
    assertThat(beside).isEmpty();
  }

  @Test
  void noOneHasToWaitForThem() {
    for (int i = 1; i < 40; i += 2) {
      int soFar = i;
      log.append(fault("one"));
      Awaitility.await().until(() -> shown.size() == soFar);
      log.append(fault("beside a line"));
      journal.defer(new Line("line" + i, Json.EMPTY_OBJECT));
      journal.flush();
      Awaitility.await().until(() -> shown.size() == soFar + 1);
    }

    assertThat(shown).extracting(Event.Logged::number).containsExactlyElementsOf(counting(40));
  }

  @Test
  void areWrittenWhereWhoWaitsForThemIsInterrupted() {
    for (int i = 1; i <= 20; i++) {
      log.append(fault("one"));
      Thread.currentThread().interrupt();
      try {
        assertThat(log.flush()).isNull();
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
      assertThat(shown).hasSize(i);
    }
  }

  @Test
  void noMoreWaitThanGoWithTheNext() {
    for (int i = 0; i < 900; i++) {
      log.append(fault("one"));
    }
    assertThat(log.gather()).isNull();
    Version<ConversationState> known = journal.load();
    assertThat(journal.replace(known, known.value().turn(1))).isTrue();

    assertThat(beside).containsExactly(900L);
  }

  @Test
  void aLeaseIsTakenWithoutThem() {
    Version<ConversationState> known = journal.load();
    ConversationState others = known.value().withLease(new Lease(2, Instant.MAX));
    assertThat(store.state("c").replace(known, others)).isTrue();
    log.append(fault("one"));
    Version<ConversationState> theirs = journal.load();
    assertThat(journal.replace(theirs, theirs.value().turn(1))).isTrue();

    assertThat(log.flush()).isNull();
    assertThat(store.events("c", 0, 9)).isEmpty();
  }

  @Test
  void whoIsShownAnEventMayInterruptTheThread() {
    EventLog interrupted =
        new EventLog(
            journal,
            Time.SYSTEM,
            event -> {
              shown.add(event);
              Thread.currentThread().interrupt();
            });
    for (int i = 0; i < 5; i++) {
      interrupted.append(fault("one"));
      assertThat(interrupted.flush()).isNull();
      interrupted.append(fault("two"));
    }
    assertThat(interrupted.flush()).isNull();

    assertThat(shown).extracting(Event.Logged::number).containsExactlyElementsOf(counting(10));
  }

  @Tag("slow")
  @Test
  void whoTellsFasterThanEventsAreShownWaits() throws InterruptedException {
    CountDownLatch goOn = new CountDownLatch(1);
    EventLog slow =
        new EventLog(
            journal,
            Time.SYSTEM,
            event -> {
              shown.add(event);
              await(goOn);
            });
    Thread telling =
        Thread.ofVirtual()
            .start(() -> {
              for (int i = 0; i < 5 * EventLog.MOST_WAITING; i++) {
                slow.append(fault("one"));
                journal.defer(new Line("line" + i, Json.EMPTY_OBJECT));
                journal.flush();
              }
            });
    AtomicInteger told = new AtomicInteger();
    Awaitility.await()
        .pollInterval(Duration.ofMillis(300))
        .until(() -> {
          int now = store.events("c", 0, 10_000).size();
          return told.getAndSet(now) == now && now > 0;
        });
    assertThat(told).hasValueLessThan(3 * EventLog.MOST_WAITING);
    goOn.countDown();
    telling.join();
    assertThat(slow.flush()).isNull();

    assertThat(shown).hasSize(5 * EventLog.MOST_WAITING);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
