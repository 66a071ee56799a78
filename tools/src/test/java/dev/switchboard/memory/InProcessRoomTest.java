package dev.switchboard.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.memory.Block.Kind;
import dev.switchboard.mount.Bound;
import dev.switchboard.text.MemoryOwner;
import dev.switchboard.text.Words;
import dev.switchboard.time.Time;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// The room of memory in the process: a share of each principal and the whole.
class InProcessRoomTest {
  private static final int ALL = 100_000;
  private static final String TEXT = "tea ".repeat(250); // 2,000 characters with its words

  private final InProcessMemory store = new InProcessMemory(ALL);

  private static Entry said(String principal, int number) {
    return entry(principal, Entry.CONVERSATIONS, "c" + number, "word" + number + " " + TEXT);
  }

  private static Entry entry(String principal, String domain, String label, String text) {
    String owner = MemoryOwner.of("Desk", principal);
    String id = label + "/turn1/input/0";
    return new Entry(owner, domain, id, label, null, text, List.of(), Instant.EPOCH);
  }

  private long found(String principal, String text) {
    return store
        .search(
            MemoryQuery.of(
                MemoryOwner.of("Desk", principal), text, Entry.CONVERSATIONS, Entry.ARCHIVAL))
        .total();
  }

  @Test
  void dropsOldestMessagesOfThePrincipalForNewOnes() {
    store.insert(said("ada", 0));
    store.insert(entry("bob", Entry.ARCHIVAL, "fact", "blue"));
    for (int i = 0; i < 100; i++) {
      assertThat(store.insert(said("bob", i))).isTrue();
    }
    assertThat(found("bob", "tea")).isBetween(15L, ALL / 2 / 2_000L);
    assertThat(found("bob", "word99")).isEqualTo(1);
    assertThat(found("bob", "word0")).isZero();
    assertThat(found("bob", "blue")).isEqualTo(1);
    assertThat(found("ada", "word0")).isEqualTo(1);
    for (int i = 0; i < 100; i++) {
      store.insert(said("eve", i));
    }
    assertThat(store.insert(said("ada", 1))).as("where the whole is full").isTrue();
    assertThat(found("ada", "tea")).isPositive();
  }

  @Test
  void theUsersOfATokenHaveHalfTogether() {
    for (int user = 0; user < 100; user++) {
      boolean unused = store.insert(said("shop/" + user, 0));
    }
    assertThat(store.insert(said("ada", 0))).isTrue();
    assertThat(store.insert(said("shop/new", 0))).as("it has nothing of its own to drop").isFalse();
  }

  @Test
  void severalAgentsHaveOneShareOfAPrincipal() {
    for (int i = 0; i < 100; i++) {
      Entry said = said("bob", i);
      store.insert(
          new Entry(
              MemoryOwner.of("Agent" + i, "bob"),
              said.domain(),
              said.id(),
              said.label(),
              null,
              said.text(),
              List.of(),
              said.at()));
    }
    assertThat(store.agents()).hasSizeLessThan(30).contains("Agent99");
  }

  @Test
  void anEntryBeyondTheShareIsRefusedAfterAllThatWasSaid() {
    for (int i = 0; i < 10; i++) {
      store.insert(said("bob", i));
    }
    int kept = 0;
    while (kept < 100) {
      Entry fact = entry("bob", Entry.ARCHIVAL, "fact" + kept, TEXT);
      if (store.entry(fact.agent(), fact.domain(), fact.id()) != null || !isKept(fact)) {
        break;
      }
      kept++;
    }
    assertThat(kept).isBetween(15, 25);
    assertThat(found("bob", "word9")).isZero();
    assertThatThrownBy(() -> store.insert(entry("bob", Entry.ARCHIVAL, "more", TEXT)))
        .isInstanceOf(MemoryException.class)
        .hasMessage(
            "This principal has reached its limit of 50000 characters of memory without a storage."
                + " Delete what is no longer needed.");
    assertThat(store.insert(said("bob", 11))).as("what is said then is not kept").isFalse();

    Entry first = entry("bob", Entry.ARCHIVAL, "fact0", "");
    assertThat(store.delete(first.agent(), first.domain(), first.id())).isTrue();
    assertThat(store.insert(entry("bob", Entry.ARCHIVAL, "more", TEXT))).isTrue();
  }

  private boolean isKept(Entry fact) {
    try {
      return store.insert(fact);
    } catch (MemoryException full) {
      return false;
    }
  }

  @Test
  void aBatchWithARefusedEntryAddsNone() {
    List<Entry> batch = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      batch.add(entry("bob", Entry.ARCHIVAL, "fact" + i, TEXT));
    }
    assertThatThrownBy(() -> store.insertAll(batch)).isInstanceOf(MemoryException.class);
    assertThat(found("bob", "tea")).isZero();
    assertThat(store.insertAll(batch.subList(0, 15))).isEqualTo(15);
  }

  @Test
  void blocksAndTheirEditsCount() {
    Memory memory = Memory.of(store, "Desk", Time.SYSTEM).forPrincipal("bob");
    Block block = memory.create(Block.of("Desk", "notes", Kind.WORKING).withCharLimit(40_000));
    for (int i = 0; i < 200; i++) {
      block = memory.overwrite("notes", "x".repeat(3_000) + i, block.version());
    }
    assertThat(memory.history("notes", 1_000)).as("the oldest go").hasSizeBetween(3, 8);
    assertThat(block.edits()).isEqualTo(200);
    long version = block.version();
    assertThatThrownBy(() -> memory.overwrite("notes", "y".repeat(30_000), version))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("characters of memory without a storage");
    assertThat(memory.history("notes", 1_000)).hasSizeBetween(3, 8);
    assertThat(memory.undo("notes").value()).endsWith("198");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                memory.create(Block.of("Desk", "b" + i, Kind.WORKING).withValue("z".repeat(4_000)));
              }
            })
        .isInstanceOf(MemoryException.class);
    memory.blocks().forEach(view -> forget(view.block()));
    assertThat(memory.create(Block.of("Desk", "new", Kind.WORKING).withValue("z".repeat(4_000))))
        .isNotNull();
  }

  private void forget(Block block) {
    assertThat(store.apply(List.of(new MemoryStore.Change(block, null, null)))).isTrue();
  }

  @Test
  void allIsFreeAgainWhereAllIsDeleted() {
    for (int round = 0; round < 20; round++) {
      Memory memory = Memory.of(store, "Desk", Time.SYSTEM).forPrincipal("bob");
      store.insert(said("bob", round));
      store
          .unembedded(MemoryOwner.of("Desk", "bob"), "m", 0, 9)
          .forEach(one -> {
            store.embed(one.number(), "m", VectorStore.Vector.of(new float[500]));
            store.embed(one.number(), "n", VectorStore.Vector.of(new float[700]));
          });
      Block block = memory.create(Block.of("Desk", "notes", Kind.WORKING));
      block = memory.overwrite("notes", "x".repeat(4_000), block.version());
      block = memory.overwrite("notes", "y".repeat(4_000), block.version());
      assertThat(memory.undo("notes")).isNotNull();
      assertThat(memory.history("notes", 9)).hasSize(2);
      forget(memory.block("notes").block());
      assertThat(
              store.deleteLabelled(MemoryOwner.of("Desk", "bob"), Entry.CONVERSATIONS, "c" + round))
          .isEqualTo(1);
    }
    assertThat(store.agents()).isEmpty();
    for (int i = 0; i < 15; i++) {
      assertThat(store.insert(entry("bob", Entry.ARCHIVAL, "fact" + i, TEXT))).isTrue();
    }
  }

  @Test
  void vectorsCountAndAreLeftOutWhereThereIsNoRoom() {
    String bob = MemoryOwner.of("Desk", "bob");
    for (int i = 0; i < 15; i++) {
      store.insert(entry("bob", Entry.ARCHIVAL, "fact" + i, TEXT));
    }
    VectorStore.Vector vector = VectorStore.Vector.of(1, 2);
    VectorStore.Vector large = VectorStore.Vector.of(new float[8_000]);
    store
        .unembedded(bob, "m", 0, 99)
        .forEach(one -> store.embed(one.number(), "m", one.number() == 1 ? vector : large));
    assertThat(store.unembedded(bob, "m", 0, 99)).hasSize(14);
    assertThat(found("bob", "tea")).isEqualTo(15);
  }

  @Test
  void theBudgetIsAPartOfTheHeap() {
    assertThat(Bound.MEMORY.partsOfHeap()).isEqualTo(16);
    assertThat((long) Bound.MEMORY.all() * 16)
        .isLessThanOrEqualTo(Runtime.getRuntime().maxMemory());
  }

  @Test
  void wordsInOneStringAreCountedAsInAList() {
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    String alphabet = "aab bé-.+#$ 12,日本語ไทยÉ\u0301😀\n";
    int[] characters = alphabet.codePoints().toArray();
    for (int i = 0; i < 2_000; i++) {
      String text = text(random, characters, 60);
      String query = text(random, characters, 6);
      List<String> words = Words.of(text);
      WordText joined = WordText.of(text);
      assertThat(joined.size()).isEqualTo(words.size());
      for (Words.Phrase phrase : Words.sought(query)) {
        assertThat(joined.count(phrase))
            .as("'%s' in '%s'".formatted(query, text).toLowerCase(Locale.ROOT))
            .isEqualTo(phrase.count(words));
      }
    }
  }

  private static String text(RandomGenerator random, int[] characters, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(length); i >= 0; i--) {
      text.appendCodePoint(characters[random.nextInt(characters.length)]);
    }
    return text.toString();
  }
}
