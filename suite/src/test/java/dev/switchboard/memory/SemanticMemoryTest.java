package dev.switchboard.memory;

import static dev.switchboard.contract.MemoryPlace.entry;
import static dev.switchboard.contract.MemoryPlace.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.switchboard.contract.MemoryPlace;
import dev.switchboard.harness.Vectors;
import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.time.Time;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SemanticMemoryTest {
  private final InProcessMemory store = new InProcessMemory();
  private final Meanings meanings = new Meanings();
  private final ManualTime time = new ManualTime();
  private final SemanticMemory memory = SemanticMemory.of(store, meanings, time);

  /// Texts by what they are about: food, animals, anything else.
  private static final class Meanings implements Embeddings {
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean away;
    private volatile String poison = "poison";
    private volatile CountDownLatch gate = new CountDownLatch(0);

    @Override
    public List<float[]> of(List<String> texts) throws Exception {
      asked.addAll(texts);
      boolean unused = gate.await(1, TimeUnit.MINUTES);
      if (away || texts.contains(poison)) {
        throw new IllegalStateException("away");
      }
      return texts.stream().map(Meanings::vector).toList();
    }

    private static float[] vector(String text) {
      boolean food = text.matches(".*(dairy|cheese|meal|vegan).*");
      boolean animal = text.matches(".*(dog|puppy|cat).*");
      return new float[] {food ? 1 : 0, animal ? 1 : 0, food || animal ? 0.1f : 1};
    }

    @Override
    public String name() {
      return "test:meanings";
    }
  }

  @AfterEach
  void close() {
    meanings.gate.countDown();
    memory.close();
  }

  private void remember(String... texts) throws Exception {
    for (String text : texts) {
      assertThat(memory.insert(entry(text, text))).isTrue();
    }
    long unused = memory.embedAll("a", count -> {});
  }

  private List<String> found(String text) {
    return memory.search(query(text)).hits().stream().map(hit -> hit.entry().text()).toList();
  }

  @Test
  void findsWhatMeansAlikeInOtherWords() throws Exception {
    remember("She eats no dairy", "A dog called Rex", "Closed on Mondays");

    assertThat(found("cheese")).containsExactly("She eats no dairy");
    assertThat(found("puppy")).containsExactly("A dog called Rex");
    assertThat(memory.search(query("puppy")).warning()).isNull();
    assertThat(store.search(query("puppy")).hits()).isEmpty();
  }

  @Test
  void whatIsFoundBothWaysStandsFirst() throws Exception {
    remember("Rex is a name", "A dog called Rex", "A cat of ours");

    Hits hits = memory.search(query("Rex puppy"));
    assertThat(hits.hits())
        .extracting(hit -> hit.entry().text())
        .containsExactly("A dog called Rex", "A cat of ours", "Rex is a name");
    assertThat(hits.hits())
        .extracting(Hits.Hit::score)
        .isSortedAccordingTo((a, b) -> Double.compare(b, a));
    assertThat(hits.hits().getFirst().score()).isBetween(0.9, 1.0);
    assertThat(hits.hits().getLast().score()).isBetween(0.4, 0.6);
    assertThat(hits.total()).isEqualTo(3);
  }

  @Test
  void theTotalCountsEachOnce() throws Exception {
    remember(IntStream.range(0, 150).mapToObj(i -> "dog " + i).toArray(String[]::new));
    remember("puppy", "cheese");

    Hits hits = memory.search(query("dog").withLimit(5));
    assertThat(hits.hits()).hasSize(5);
    assertThat(hits.total()).isEqualTo(151);
  }

  @Test
  void r202NothingOfAnotherAgentIsSeen() throws Exception {
    assertThat(store.insert(MemoryPlace.owned("b", entry("1", "private dog")))).isTrue();
    assertThat(memory.embedAll("b", count -> {})).isEqualTo(1);

    assertThat(found("puppy").isEmpty() && found("private dog").isEmpty())
        .isNotEqualTo(Vectors.byId("R202").expect().path("sees_b").booleanValue());
    assertThat(memory.search(MemoryQuery.of("b", "puppy", Entry.ARCHIVAL)).total()).isEqualTo(1);
  }

  @Test
  void onlyTextsOfAgentsThatAreUsedHereGoToTheModel() throws Exception {
    assertThat(store.insert(MemoryPlace.owned("b", entry("1", "private dog")))).isTrue();
    remember("own cat");
    assertThat(meanings.asked).doesNotContain("private dog");
  }

  @Test
  void r203WithoutAnAnswerTheWordsAloneAnswerAndSaySo() throws Exception {
    remember("A dog called Rex");
    meanings.away = true;

    Hits hits = memory.search(query("dog puppy"));
    assertThat(hits.hits())
        .extracting(hit -> hit.entry().text())
        .containsExactly("A dog called Rex");
    assertThat(hits.warning() != null)
        .isEqualTo(Vectors.byId("R203").expect().path("warning").booleanValue());
    assertThat(found("puppy")).isEmpty();
    meanings.away = false;
    assertThat(found("puppy")).hasSize(1);
  }

  @Test
  void aSlowModelHoldsNoSearchUp() throws Exception {
    remember("A dog called Rex");
    meanings.gate = new CountDownLatch(1);
    CompletableFuture<Hits> found =
        CompletableFuture.supplyAsync(() -> memory.search(query("dog")));
    time.awaitSleepers(1);
    time.advance(SemanticMemory.PATIENCE.minusNanos(1));
    assertThat(found).isNotDone();
    time.advance(Duration.ofNanos(1));
    Hits hits = found.join();
    assertThat(hits.hits()).hasSize(1);
    assertThat(hits.warning()).contains("words alone");
  }

  @Test
  void keepingWaitsForNoOneAndVectorsFollow() throws Exception {
    meanings.gate = new CountDownLatch(1);
    assertThat(memory.insert(entry("1", "A dog called Rex"))).isTrue();
    assertThat(store.search(query("dog")).total()).isEqualTo(1);
    assertThat(store.unembedded("a", meanings.name(), 0, 9)).hasSize(1);

    meanings.gate.countDown();
    untilEmbedded();
    assertThat(found("puppy")).containsExactly("A dog called Rex");
  }

  @Test
  void whatWaitedForTheModelIsDoneByTheNextToComeHere() throws Exception {
    meanings.away = true;
    assertThat(memory.insert(entry("1", "A dog called Rex"))).isTrue();
    assertThatThrownBy(() -> memory.embedAll("a", count -> {})).hasMessage("away");
    memory.close();

    meanings.away = false;
    try (SemanticMemory next = SemanticMemory.of(store, meanings, time)) {
      assertThat(next.search(query("dog")).total()).isEqualTo(1);
      untilEmbedded();
      assertThat(next.search(query("puppy")).total()).isEqualTo(1);
    }
  }

  @Test
  void closingEndsTheBatchThatIsUnderWay() {
    meanings.gate = new CountDownLatch(1);
    assertThat(memory.insert(entry("1", "A dog called Rex"))).isTrue();
    await().until(() -> !meanings.asked.isEmpty());
    CompletableFuture<Void> closed = CompletableFuture.runAsync(memory::close);
    time.awaitSleepers(1);
    meanings.gate.countDown();
    closed.join();
    assertThat(store.unembedded("a", meanings.name(), 0, 9)).isEmpty();
  }

  @Test
  void closingWaitsForNoModelThatIsSlow() {
    meanings.gate = new CountDownLatch(1);
    assertThat(memory.insert(entry("1", "A dog called Rex"))).isTrue();
    await().until(() -> !meanings.asked.isEmpty());
    CompletableFuture<Void> closed = CompletableFuture.runAsync(memory::close);
    time.awaitSleepers(1);
    time.advance(Embedder.LAST_WORK);
    closed.join();
    assertThat(store.unembedded("a", meanings.name(), 0, 9)).hasSize(1);
  }

  @Test
  void searchesLookForEntriesWithoutVectorsOnceAlone() {
    AtomicInteger looks = new AtomicInteger();
    VectorStore counting =
        (VectorStore)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {VectorStore.class},
                (proxy, method, arguments) -> {
                  looks.addAndGet(method.getName().equals("unembedded") ? 1 : 0);
                  return method.invoke(store, arguments);
                });
    try (SemanticMemory searched = SemanticMemory.of(counting, meanings, time)) {
      for (int i = 0; i < 20; i++) {
        assertThat(searched.search(query("puppy")).total()).isZero();
      }
    }
    assertThat(looks).hasValue(1);
  }

  @Test
  void oneTextThatIsNotTakenKeepsNoOtherBack() throws Exception {
    for (String text : List.of("dog", "poison", " ", "cat")) {
      assertThat(store.insert(entry(text, text))).isTrue();
    }
    assertThat(memory.embedAll("a", count -> {})).isEqualTo(2);
    assertThat(found("puppy")).containsExactly("cat", "dog");
    assertThat(found("poison")).containsExactly("poison");
  }

  @Test
  void ofALongTextTheBeginningIsSent() throws Exception {
    remember("x".repeat(7_999) + "🍕🍕");
    assertThat(meanings.asked).contains("x".repeat(7_999) + "🍕");
  }

  @Test
  void anEmptyQueryAsksNoOne() throws Exception {
    remember("dog", "cat");
    // The first memory may still be asking in the background for what is embedded by now.
    Meanings unasked = new Meanings();
    try (SemanticMemory other = SemanticMemory.of(store, unasked, time)) {
      assertThat(other.search(query("")).hits()).hasSize(2);
      assertThat(unasked.asked).isEmpty();
    }
  }

  private void untilEmbedded() {
    await().until(() -> store.unembedded("a", meanings.name(), 0, 9).isEmpty());
  }

  private List<String> foundInMemory(String text) {
    return Memory.of(memory, "a", Time.SYSTEM).search(query(text)).hits().stream()
        .map(hit -> hit.entry().text())
        .toList();
  }

  @Test
  void findsArchivedBlocksByTheirMeaningToo() throws Exception {
    remember("A dog called Rex", "Closed on Mondays");
    Memory own = Memory.of(memory, "a", Time.SYSTEM);
    Block unused = own.create(MemoryPlace.block("diet", "She eats no dairy"));
    unused = own.create(MemoryPlace.block("bad", "poison"));
    unused = own.archive("diet");
    unused = own.archive("bad");

    assertThat(foundInMemory("cheese")).containsExactly("She eats no dairy");
    assertThat(foundInMemory("puppy")).containsExactly("A dog called Rex");
    assertThat(foundInMemory("poison")).containsExactly("poison");
    assertThat(meanings.asked).filteredOn("She eats no dairy"::equals).hasSize(1);
    meanings.away = true;
    assertThat(foundInMemory("dairy")).containsExactly("She eats no dairy");
    assertThat(foundInMemory("cheese")).isEmpty();
  }
}
