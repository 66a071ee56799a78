package dev.switchboard.contract;

import static dev.switchboard.contract.MemoryPlace.entry;
import static dev.switchboard.contract.MemoryPlace.message;
import static dev.switchboard.contract.MemoryPlace.owned;
import static dev.switchboard.contract.MemoryPlace.query;
import static dev.switchboard.contract.MemoryPlace.tagged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryStore;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Many entries at once, in every store.
interface MemoryBatchContract extends MemoryPlace {
  /// More than go into one command.
  int MANY = 250;

  private static List<Entry> many() {
    return IntStream.range(0, MANY).mapToObj(i -> entry("e" + i, "dog number" + i)).toList();
  }

  /// Agent a's entries as they were kept.
  private List<Entry> kept() {
    List<Entry> kept = new ArrayList<>();
    open().forEachEntry("a", kept::add);
    return kept;
  }

  @Test
  default void keepsABatchInItsOrderAndFindsIt() {
    assertThat(open().insertAll(many().reversed())).isEqualTo(MANY);

    assertThat(kept()).isEqualTo(many().reversed());
    assertThat(open().search(query("dog")).total()).isEqualTo(MANY);
    assertThat(found(query("number7"))).containsExactly("dog number7");
    assertThat(open().delete("a", Entry.ARCHIVAL, "e7")).isTrue();
    assertThat(found(query("number7"))).isEmpty();
  }

  @Test
  default void ofABatchOnlyWhatIsNewIsKept() {
    MemoryStore store = open();
    assertThat(store.insert(entry("e3", "first cat"))).isTrue();
    List<Entry> batch = new ArrayList<>(many());
    batch.add(2, entry("e1", "second cat"));
    batch.addAll(many());

    assertThat(store.insertAll(batch)).isEqualTo(MANY - 1);
    assertThat(store.insertAll(batch)).isZero();
    assertThat(store.insertAll(List.of())).isZero();
    assertThat(kept())
        .hasSize(MANY)
        .startsWith(entry("e3", "first cat"), entry("e0", "dog number0"));
    assertThat(found(query("cat"))).containsExactly("first cat");
    assertThat(found(query("number1"))).containsExactly("dog number1");
    assertThat(open().search(query("dog")).total()).isEqualTo(MANY - 1);
  }

  @Test
  default void aBatchMayBeOfManyAgentsDomainsAndTags() {
    String[] tags = IntStream.range(0, MANY).mapToObj(i -> "tag" + i).toArray(String[]::new);
    List<Entry> batch =
        List.of(
            entry("1", "dog"),
            owned("b", entry("1", "dog of b")),
            message("1", "user", "dog of the user"),
            tagged(entry("2", ""), tags),
            tagged(entry("half \uD83C a character", "dog 3"), "x", "x"));

    assertThat(open().insertAll(batch)).isEqualTo(5);
    assertThat(open().agents()).containsExactly("a", "b");
    assertThat(found(query("dog"))).containsExactlyInAnyOrder("dog", "dog 3");
    assertThat(found(MemoryQuery.of("b", "dog", Entry.ARCHIVAL))).containsExactly("dog of b");
    assertThat(found(MemoryQuery.of("a", "user", Entry.CONVERSATIONS))).hasSize(1);
    assertThat(found(query("").withTags(List.of("tag0", "tag249")))).containsExactly("");
    assertThat(found(query("dog").withTags(List.of("x")))).containsExactly("dog 3");
  }

  @Test
  default void ofABatchThatFailsNothingIsKept() {
    List<Entry> batch =
        new AbstractList<>() {
          @Override
          public Entry get(int index) {
            if (index == MANY - 1) {
              throw new IllegalStateException("unreadable");
            }
            return many().get(index);
          }

          @Override
          public int size() {
            return MANY;
          }
        };
    assertThatThrownBy(() -> open().insertAll(batch)).hasMessage("unreadable");

    assertThat(kept()).isEmpty();
    assertThat(open().search(query("dog")).total()).isZero();
    assertThat(open().insertAll(many())).isEqualTo(MANY);
  }
}
