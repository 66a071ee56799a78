package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EventLogTest {
  private final InProcessConversations store = new InProcessConversations();
  private final ManualTime time = new ManualTime();
  private final List<Event.Logged> shown = Collections.synchronizedList(new ArrayList<>());

  private EventLog log() {
    return new EventLog(
        new Journal("c", "local", store, () -> ConversationLease.UNNEEDED), time, shown::add);
  }

  private static Event fault(String code) {
    return new Event.Failed("m", code, Map.of());
  }

  private List<String> contents() {
    return store.events("c", 0, 99).stream()
        .map(event -> event.event().tree().path("content").asString("?"))
        .toList();
  }

  @Test
  void storesEachEventThenShowsItWithItsNumber() {
    EventLog log = log();
    log.run("input-1");
    log.append(fault("one"));
    log.append(fault("two"));
    assertThat(log.flush()).isNull();
    log.run("input-2");
    log.append(fault("three"));
    assertThat(log.flush()).isNull();

    assertThat(shown).isEqualTo(store.events("c", 0, 99));
    assertThat(shown).extracting(Event.Logged::number).containsExactly(1L, 2L, 3L);
    assertThat(shown)
        .extracting(Event.Logged::run)
        .containsExactly("input-1", "input-1", "input-2");
    assertThat(log.events(1, 1)).isEqualTo(shown.subList(1, 2));
  }

  @Test
  void tellsAKeyOnce() {
    EventLog log = log();
    log.append("turn1/end/0", fault("one"));
    log.append("turn1/end/0", fault("again"));
    assertThat(log.flush()).isNull();
    log().append("turn1/end/0", fault("after a crash"));

    assertThat(shown).hasSize(1);
  }

  @Test
  void joinsWordsThatComeWhileOthersAreWritten() throws InterruptedException {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch more = new CountDownLatch(1);
    EventLog log =
        new EventLog(
            new Journal("c", "local", store, () -> ConversationLease.UNNEEDED),
            time,
            event -> {
              first.countDown();
              try {
                more.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    log.appendText("turn1/round1/model/words", "One ");
    first.await();
    for (String word : List.of("two ", "three ", "four.")) {
      log.appendText("turn1/round1/model/words", word);
    }
    log.append(fault("between"));
    log.appendText("turn1/round2/model/words", "Next.");
    more.countDown();
    assertThat(log.flush()).isNull();

    assertThat(contents()).containsExactly("One ", "two three four.", "?", "Next.");
    assertThat(store.events("c", 0, 99))
        .extracting(Event.Logged::key)
        .containsExactly(
            "turn1/round1/model/words/1",
            "turn1/round1/model/words/2",
            null,
            "turn1/round2/model/words/1");
  }

  @Test
  void voidsTheWordsOfAReplyThatIsAskedForAgain() {
    EventLog died = log();
    died.appendText("k", "Half a ");
    died.flush();

    EventLog next = log();
    new LoggedReply("k", next).restart();
    next.appendText("k", "Whole reply.");
    assertThat(next.flush()).isNull();

    assertThat(contents()).containsExactly("Half a ", "?", "Whole reply.");
    assertThat(shown.get(1).event().text())
        .isEqualTo("{\"type\":\"agent\",\"event\":\"reply_restarted\",\"payload\":{\"from\":1}}");
    EventLog third = log();
    new LoggedReply("k", third).complete("Whole reply. And");
    assertThat(third.flush()).isNull();
    assertThat(contents()).containsExactly("Half a ", "?", "Whole reply.", " And");
    new LoggedReply("k", log()).complete("Whole reply. And");
    assertThat(contents()).hasSize(4);
  }

  @Test
  void givesUpWhereTheStoreTakesNothing() {
    EventLog log =
        new EventLog(
            new Journal("c", "local", new BrokenConversations(), () -> ConversationLease.UNNEEDED),
            time,
            event -> {
              throw new AssertionError();
            });
    log.append(fault("lost"));
    assertThat(log.flush()).isInstanceOf(UnsupportedOperationException.class);
    assertThat(log.flush()).isNull();
    log.append(fault("lost too"));
    assertThat(log.flush()).isNotNull();

    assertThat(store.events("c", 0, 9)).isEmpty();
  }

  /// A store that cannot write.
  private static final class BrokenConversations extends KeptConversations {}

  @Test
  void listenerMayAppendEventsWithoutDeadlock() {
    EventLog[] log = new EventLog[1];
    log[0] =
        new EventLog(
            new Journal("c", "local", store, () -> ConversationLease.UNNEEDED),
            time,
            event -> {
              shown.add(event);
              if (event.number() == 1) {
                assertThat(log[0].flush()).isNull();
                for (int i = 0; i < 2 * EventLog.MOST_WAITING; i++) {
                  log[0].append(fault("more"));
                }
              }
            });
    log[0].append(fault("first"));
    assertThat(log[0].flush()).isNull();

    assertThat(shown).hasSize(1 + 2 * EventLog.MOST_WAITING);
  }

  @Test
  void letsThoseWaitWhoTellTooMuch() throws Exception {
    EventLog log = log();
    try (ExecutorService tellers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int teller = 0; teller < 8; teller++) {
        tellers.submit(() -> {
          for (int i = 0; i < 2_000; i++) {
            log.append(fault("x"));
          }
        });
      }
    }
    assertThat(log.flush()).isNull();

    assertThat(shown)
        .extracting(Event.Logged::number)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 16_000).boxed().toList());
  }

  @Test
  void aMessageIsDeliveredOnceItIsStored() {
    CountDownLatch delivered = new CountDownLatch(1);
    List<Boolean> before = Collections.synchronizedList(new ArrayList<>());
    EventLog log =
        new EventLog(
            new Journal("c", "local", store, () -> ConversationLease.UNNEEDED),
            time,
            event -> {
              before.add(delivered.getCount() == 1);
            });
    EventSink sink = new EventSink(null, log);
    Letter letter = new Letter("m1", "a", "c", new Target("user", ""), "Bye", null, null);
    assertThat(sink.deliver(letter, null)).isEqualTo(Delivery.DONE);
    delivered.countDown();
    assertThat(before).containsExactly(true);

    assertThat(sink.deliver(letter, null)).isEqualTo(Delivery.DONE);
    assertThat(contents()).containsExactly("Bye");
  }
}
