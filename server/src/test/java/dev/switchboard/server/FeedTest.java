package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.ConversationQueue.Standing;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FeedTest {
  private final InProcessConversations store = new InProcessConversations();
  private Feed feed = new Feed("c", store, 0);

  /// Stores an event, and shows it.
  private void tell(String content) {
    Event.Logged event = new Event.Logged(0, null, null, Instant.EPOCH, Json.of(List.of(content)));
    store.appendEvents("c", 0, List.of(event)).forEach(feed::add);
  }

  private List<Long> after(long number) {
    List<Long> all = new ArrayList<>();
    List<Event.Logged> page;
    do {
      page = feed.after(all.isEmpty() ? number : all.getLast());
      page.forEach(event -> all.add(event.number()));
    } while (!page.isEmpty());
    return all;
  }

  private static List<Long> numbers(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().toList();
  }

  @Test
  void givesEachReaderAllBehindItsCursor() {
    for (int i = 0; i < 1_000; i++) {
      tell("event " + i);
    }
    for (long cursor : new long[] {0, 1, 500, 871, 872, 873, 998, 999}) {
      assertThat(after(cursor)).isEqualTo(numbers(cursor + 1, 1_000));
    }
    assertThat(feed.after(1_000)).isEmpty();
  }

  @Test
  void readsLongOnesFromTheStore() {
    for (int i = 0; i < 20; i++) {
      tell("x".repeat(100_000));
    }
    assertThat(after(0)).isEqualTo(numbers(1, 20));
  }

  @Test
  void knowsOfWhatAnotherFeedWasShown() {
    tell("one");
    Feed other = feed;
    feed = new Feed("c", store, 1);
    tell("two");
    feed = other;
    tell("three");
    assertThat(after(0)).isEqualTo(numbers(1, 3));
  }

  @Test
  void isOverWhereNothingCanCome() throws InterruptedException {
    tell("one");
    assertThat(feed.isOver(1, false)).isFalse();
    assertThat(feed.isOver(1, true)).isTrue();
    feed.runs(true);
    assertThat(feed.isOver(1, true)).isFalse();
    feed.await(1, true, Duration.ofMillis(1));
    feed.runs(false);
    feed.await(1, true, Duration.ofMinutes(1));
    feed.close();
    feed.await(1, false, Duration.ofMinutes(1));
    assertThat(feed.isOver(0, false)).isFalse();
    assertThat(feed.isOver(1, false)).isTrue();
  }

  @Test
  void isNotOverWhileRemoteEventsAreRead() {
    List<Boolean> over = new ArrayList<>();
    ConversationStore slow =
        TestServer.watched(store, (method, arguments) -> over.add(feed.isOver(0, true)));
    Standing ended = new Standing(1, false, false);
    feed = new Feed("c", slow, 0, () -> ended);
    tell("one");
    feed = new Feed("c", slow, 0, () -> ended);
    feed.noteRemoteEvents(true);
    assertThat(after(0)).isEqualTo(numbers(1, 1));
    assertThat(over).isNotEmpty().doesNotContain(true);
  }

  @Test
  void isOverWhereTheConversationIsGone() {
    feed = new Feed("c", store, 7);
    assertThat(feed.after(0)).isEmpty();
    assertThat(feed.isOver(0, false)).isTrue();
  }

  @Test
  void wakesWaitingStreamForEventOrClientCheck() throws Exception {
    Thread probed = Thread.ofVirtual().start(this::awaitFirst);
    await()
        .until(() -> {
          feed.probe();
          return !probed.isAlive();
        });
    Thread waiting = Thread.ofVirtual().start(this::awaitFirst);
    tell("event");
    assertThat(waiting.join(Duration.ofMinutes(5))).isTrue();
  }

  private void awaitFirst() {
    try {
      feed.await(0, false);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
