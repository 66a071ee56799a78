package dev.switchboard.contract;

import static dev.switchboard.contract.MemoryPlace.entry;
import static dev.switchboard.contract.MemoryPlace.labelled;
import static dev.switchboard.contract.MemoryPlace.message;
import static dev.switchboard.contract.MemoryPlace.owned;
import static dev.switchboard.contract.MemoryPlace.query;
import static dev.switchboard.contract.MemoryPlace.tagged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryQuery.Hits.Hit;
import dev.switchboard.memory.VectorStore;
import dev.switchboard.memory.VectorStore.Unembedded;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What every store does with vectors.
public interface VectorsContract extends MemoryPlace {
  @Override
  VectorStore open();

  /// Keeps an entry with its vector.
  default void kept(Entry entry, float... numbers) {
    assertThat(open().insert(entry)).isTrue();
    Unembedded last = open().unembedded(entry.agent(), "m", 0, 9_999).getLast();
    assertThat(last.entry()).isEqualTo(entry);
    open().embed(last.number(), "m", VectorStore.Vector.of(numbers));
  }

  private List<String> nearest(MemoryQuery query, float... numbers) {
    return open().nearest(query, "m", VectorStore.Vector.of(numbers)).stream()
        .map(hit -> hit.entry().text())
        .toList();
  }

  @Test
  default void theMostAlikeIsFirst() {
    kept(entry("1", "east"), 1, 0, 0);
    kept(entry("2", "north-east"), 5, 5, 0);
    kept(entry("3", "west"), -1, 0, 0);
    kept(entry("4", "north"), 0, 3, 0);

    List<Hit> hits = open().nearest(query("whatever"), "m", VectorStore.Vector.of(2, 0.1f, 0));
    assertThat(hits)
        .extracting(hit -> hit.entry().text())
        .containsExactly("east", "north-east", "north", "west");
    assertThat(hits.get(0).score()).isCloseTo(0.999, within(0.001));
    assertThat(hits.get(1).score()).isCloseTo(0.742, within(0.001));
    assertThat(hits.get(2).score()).isCloseTo(0.05, within(0.001));
    assertThat(hits.get(3).score()).isZero();
    assertThat(nearest(query("").withLimit(2), 2, 0.1f, 0)).containsExactly("east", "north-east");
  }

  @Test
  default void ofTwoAlikeTheLaterIsFirst() {
    for (int i = 0; i < 5; i++) {
      kept(entry("" + i, "text " + i), 1, 1);
    }
    assertThat(nearest(query("").withLimit(3), 1, 1)).containsExactly("text 4", "text 3", "text 2");
  }

  @Test
  default void r202NoVectorOfAnotherAgentIsSeen() {
    kept(owned("b", entry("1", "private")), 1, 0);
    kept(entry("1", "own"), 0, 1);

    assertThat(nearest(query(""), 1, 0)).containsExactly("own");
    assertThat(nearest(MemoryQuery.of("b", "", Entry.ARCHIVAL), 1, 0)).containsExactly("private");
    assertThat(nearest(MemoryQuery.of("c", "", Entry.ARCHIVAL), 1, 0)).isEmpty();
    assertThat(open().unembedded("c", "m", 0, 9)).isEmpty();
  }

  @Test
  default void filtersHoldForVectorsToo() {
    kept(tagged(entry("1", "tagged"), "x", "y"), 1, 0);
    kept(labelled("pet", entry("2", "labelled")), 1, 0);
    kept(message("3", "user", "said"), 1, 0);

    assertThat(nearest(query("").withTags(List.of("x", "y")), 1, 0)).containsExactly("tagged");
    assertThat(nearest(query("").withLabel("pet"), 1, 0)).containsExactly("labelled");
    assertThat(nearest(query("").between(NOON.plusSeconds(1), null), 1, 0)).isEmpty();
    MemoryQuery all = MemoryQuery.of("a", "", Entry.ARCHIVAL, Entry.CONVERSATIONS);
    assertThat(nearest(all, 1, 0)).hasSize(3);
    assertThat(nearest(all.withRole("user"), 1, 0)).containsExactly("said");
  }

  @Test
  default void whatHasNoVectorOfTheModelIsWhatIsToBeDone() {
    remember("a", "one", "two", "three");
    VectorStore store = open();
    List<Unembedded> open = store.unembedded("a", "m", 0, 9);
    assertThat(open).extracting(one -> one.entry().text()).containsExactly("one", "two", "three");
    assertThat(open).extracting(Unembedded::number).isSorted().doesNotHaveDuplicates();
    assertThat(store.unembedded("a", "m", open.get(0).number(), 1)).containsExactly(open.get(1));

    store.embed(open.get(1).number(), "m", VectorStore.Vector.of(1, 0));
    assertThat(store.unembedded("a", "m", 0, 9)).containsExactly(open.get(0), open.get(2));
    // Another model knows none of them, and takes the place of the first.
    assertThat(store.unembedded("a", "n", 0, 9)).isEqualTo(open);
    store.embed(open.get(1).number(), "n", VectorStore.Vector.of(1, 0, 0));
    assertThat(store.unembedded("a", "m", 0, 9)).isEqualTo(open);
    assertThat(store.nearest(query(""), "m", VectorStore.Vector.of(1, 0))).isEmpty();
    assertThat(store.nearest(query(""), "n", VectorStore.Vector.of(1, 0, 0))).hasSize(1);
  }

  @Test
  default void aVectorGoesWithItsEntry() {
    kept(entry("1", "dog"), 1, 0);
    assertThat(open().insert(entry("2", "cat"))).isTrue();
    Unembedded cat = open().unembedded("a", "m", 0, 9).getFirst();
    assertThat(open().delete("a", Entry.ARCHIVAL, "1")).isTrue();
    assertThat(open().delete("a", Entry.ARCHIVAL, "2")).isTrue();
    open().embed(cat.number(), "m", VectorStore.Vector.of(1, 0));
    assertThat(nearest(query(""), 1, 0)).isEmpty();

    assertThat(open().insert(entry("1", "hen"))).isTrue();
    assertThat(nearest(query(""), 1, 0)).isEmpty();
    assertThat(open().unembedded("a", "m", 0, 9)).hasSize(1);
  }

  @Test
  default void vectorsOfAnotherLengthHaveNothingInCommon() {
    kept(entry("1", "short"), 1, 0);
    kept(entry("2", "long"), 1, 0, 0);

    assertThat(open().nearest(query(""), "m", VectorStore.Vector.of(1, 0, 0)))
        .filteredOn(hit -> hit.score() > 0)
        .extracting(hit -> hit.entry().text())
        .containsExactly("long");
  }

  @Test
  default void manyVectorsAreAllCompared() {
    VectorStore store = open();
    assertThat(
            store.insertAll(
                IntStream.range(0, 1_100).mapToObj(i -> entry("" + i, "text " + i)).toList()))
        .isEqualTo(1_100);
    List<Unembedded> all = store.unembedded("a", "m", 0, 9_999);
    for (int i = 0; i < all.size(); i++) {
      store.embed(all.get(i).number(), "m", VectorStore.Vector.of(1, i));
    }
    assertThat(nearest(query("").withLimit(3), 1, 0)).containsExactly("text 0", "text 1", "text 2");
    assertThat(nearest(query("").withLimit(3), 1, 1_000_000))
        .containsExactly("text 1099", "text 1098", "text 1097");
  }
}
