package dev.switchboard.contract;

import static dev.switchboard.contract.MemoryPlace.entry;
import static dev.switchboard.contract.MemoryPlace.owned;
import static dev.switchboard.contract.MemoryPlace.query;
import static dev.switchboard.contract.MemoryPlace.tagged;
import static dev.switchboard.contract.MemoryPlace.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryException;
import dev.switchboard.memory.MemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What every store does, and the memory on top of it.
public interface MemoryStoreContract
    extends MemoryContract,
        MemoryLimitsContract,
        MemorySharesContract,
        MemorySearchContract,
        MemoryArchiveContract,
        MemoryCasesContract,
        MemoryBatchContract,
        MemoryMovingContract {
  @Test
  default void beginsWithNothing() {
    MemoryStore store = open();

    assertThat(store.blocks("a")).isEmpty();
    assertThat(store.block("a", "n")).isNull();
    assertThat(store.edits("a", "n", 9)).isEmpty();
    assertThat(store.shares("a")).isEmpty();
    assertThat(store.sharedBy("a")).isEmpty();
    store.forEachEntry("a", entry -> assertThat(entry).isNull());
    assertThat(store.entry("a", Entry.ARCHIVAL, "1")).isNull();
    assertThat(store.agents()).isEmpty();
  }

  @Test
  default void storesBlocksCompletelyAndInOrder() {
    Block full =
        new Block("a", "z", Block.Kind.LOG, "d", "v\n🍕", 9, Permission.PARTNER, true, 7, 3);
    Block plain = Block.of("a", "b", Block.Kind.CORE);
    MemoryStore store = open();
    assertThat(store.apply(List.of(new MemoryStore.Change(null, full, null)))).isTrue();
    assertThat(store.apply(List.of(new MemoryStore.Change(null, plain, null)))).isTrue();
    Block later = full.withValue("w").next(3);
    assertThat(store.apply(List.of(new MemoryStore.Change(full, later, null)))).isTrue();

    assertThat(open().blocks("a")).containsExactly(later, plain);
    assertThat(open().block("a", "z")).isEqualTo(later);
    assertThat(open().block("b", "z")).isNull();
  }

  @Test
  default void makesAllChangesOrNone() {
    Block one = Block.of("a", "one", Block.Kind.CORE);
    Block two = Block.of("a", "two", Block.Kind.CORE);
    MemoryStore store = open();
    assertThat(
            store.apply(
                List.of(
                    new MemoryStore.Change(null, one, null),
                    new MemoryStore.Change(null, two, null))))
        .isTrue();

    MemoryStore.Change right = new MemoryStore.Change(one, one.withValue("x").next(0), null);
    MemoryStore.Change wrong =
        new MemoryStore.Change(two.withValue("not this"), two.withValue("y").next(0), null);
    assertThat(store.apply(List.of(right, wrong))).isFalse();
    assertThat(store.apply(List.of(wrong, right))).isFalse();
    assertThat(store.blocks("a")).containsExactly(one, two);
    assertThat(store.apply(List.of(new MemoryStore.Change(null, one, null)))).isFalse();
    assertThat(
            store.apply(
                List.of(new MemoryStore.Change(Block.of("a", "no", Block.Kind.CORE), null, null))))
        .isFalse();
  }

  @Test
  default void anEditTakesThePlaceOfThoseFromItsNumberOn() {
    Block block = Block.of("a", "n", Block.Kind.WORKING);
    MemoryStore store = open();
    assertThat(store.apply(List.of(new MemoryStore.Change(null, block, edit(1, "one"))))).isTrue();
    for (String word : List.of("two", "three")) {
      Block next = block.next(0);
      int number = word.equals("two") ? 2 : 3;
      assertThat(store.apply(List.of(new MemoryStore.Change(block, next, edit(number, word)))))
          .isTrue();
      block = next;
    }
    assertThat(store.edits("a", "n", 2)).containsExactly(edit(3, "three"), edit(2, "two"));
    assertThat(store.edit("a", "n", 2)).isEqualTo(edit(2, "two"));
    assertThat(store.edit("a", "n", 4)).isNull();

    assertThat(store.apply(List.of(new MemoryStore.Change(block, block.next(0), edit(2, "other")))))
        .isTrue();
    assertThat(open().edits("a", "n", 9)).containsExactly(edit(2, "other"), edit(1, "one"));
  }

  @Test
  default void keepsOnlyTheLatestEditsOfALog() {
    int most = MemoryStore.MOST_EDITS;
    Block first = Block.of("a", "n", Block.Kind.WORKING);
    List<MemoryStore.Change> changes =
        new ArrayList<>(List.of(new MemoryStore.Change(null, first, null)));
    for (int number = 1; number <= most; number++) {
      Block before = changes.getLast().next();
      Block next = first.withValue("v" + number).next(number);
      changes.add(
          new MemoryStore.Change(
              before,
              next,
              new Block.Edit(
                  "a", "n", number, NOON, "a", "append", "v" + (number - 1), "v" + number)));
    }
    MemoryStore store = open();
    assertThat(store.apply(changes)).isTrue();
    assertThat(store.edits("a", "n", most + 9)).hasSize(most);

    assertThat(memory("a").append("n", "!").edits()).isEqualTo(most + 1);
    List<Block.Edit> log = store.edits("a", "n", most + 9);
    assertThat(log).hasSize(most);
    assertThat(log.getLast().number()).isEqualTo(2);
    assertThat(store.edit("a", "n", 1)).isNull();
  }

  @Test
  default void aCallEditsOnceHoweverOftenItIsMade() {
    MemoryStore store = open();
    Memory.begin(store, List.of(Block.of("a", "n", Block.Kind.WORKING)));
    Memory call = memory("a").ofCall("key1");

    assertThat(call.append("n", "one").value()).isEqualTo("one");
    assertThat(memory("a").append("n", " two").value()).isEqualTo("one two");
    assertThat(memory("a").ofCall("key1").append("n", "one").value()).isEqualTo("one two");
    assertThat(call.replace("n", "one", "1", false).value()).isEqualTo("one two");
    assertThat(memory("a").ofCall("key2").replace("n", "one", "1", false).value())
        .isEqualTo("1 two");
    assertThat(open().edits("a", "n", 9))
        .extracting(Block.Edit::key)
        .containsExactly("key2", null, "key1");
    assertThat(open().hasEdit("a", "n", "key1")).isTrue();
    assertThat(open().hasEdit("a", "n", "key3")).isFalse();
    assertThat(open().hasEdit("a", "other", "key1")).isFalse();
    assertThat(memory("a").undo("n")).extracting(Block::value).isEqualTo("one two");
    assertThat(memory("a").ofCall("key2").append("n", "!").value()).isEqualTo("one two");
  }

  @Test
  default void aCallMakesABlockOnceHoweverOftenItIsMade() {
    Block made = Block.of("a", "n", Block.Kind.WORKING).withValue("text");
    assertThat(memory("a").ofCall("key1").create(made).version())
        .isEqualTo(memory("a").ofCall("key1").create(made).version());

    assertThatThrownBy(() -> memory("a").create(made)).isInstanceOf(MemoryException.class);
    assertThatThrownBy(() -> memory("a").ofCall("key1").create(made.withValue("other")))
        .isInstanceOf(MemoryException.class);
  }

  private static Block.Edit edit(int number, String after) {
    return new Block.Edit("a", "n", number, NOON, "Zoë", "append", "before\n", after);
  }

  @Test
  default void textOfAnyCharactersComesBack() {
    String odd = "a\u0000b \uE000 \uE0000 'q' \"q\" \\ % _ \r\n\t 🍕 日本";
    MemoryStore store = open();
    assertThat(store.insert(tagged(entry("1", odd), odd, "x"))).isTrue();
    Memory memory = memory("a");
    Block unused = memory.create(MemoryPlace.block("n", odd).withDescription(odd));

    assertThat(open().entry("a", Entry.ARCHIVAL, "1")).isEqualTo(tagged(entry("1", odd), odd, "x"));
    assertThat(memory.block("n").block().value()).isEqualTo(odd);
    assertThat(memory.append("n", odd).value()).isEqualTo(odd + odd);
    assertThat(store.search(query("q").withTags(List.of(odd))).total()).isEqualTo(1);
    assertThat(store.insert(entry("2", "half \uD83C a character"))).isTrue();
    assertThat(store.search(query("character")).total()).isEqualTo(1);
  }

  @Test
  default void keepsEachEntryOnceAndDeletesIt() {
    MemoryStore store = open();
    Entry entry = entry("1", "first");
    assertThat(store.insert(entry)).isTrue();
    assertThat(open().insert(entry("1", "second"))).isFalse();
    assertThat(store.insert(owned("b", entry("1", "other")))).isTrue();

    assertThat(store.entry("a", Entry.ARCHIVAL, "1")).isEqualTo(entry);
    assertThat(store.entry("a", Entry.CONVERSATIONS, "1")).isNull();
    assertThat(store.delete("a", Entry.ARCHIVAL, "1")).isTrue();
    assertThat(store.delete("a", Entry.ARCHIVAL, "1")).isFalse();
    assertThat(store.search(query("first")).hits()).isEmpty();
    assertThat(store.search(query("")).total()).isZero();
    assertThat(store.insert(entry("1", "second"))).isTrue();
    assertThat(found(query("second"))).containsExactly("second");
    assertThat(store.entry("b", Entry.ARCHIVAL, "1")).isNotNull();
  }

  @Test
  default void keepsTimesToTheNanosecond() {
    Instant fine = Instant.parse("2026-03-01T12:00:00.123456789Z");
    assertThat(open().insert(written(fine, entry("1", "x")))).isTrue();

    assertThat(open().entry("a", Entry.ARCHIVAL, "1")).isEqualTo(written(fine, entry("1", "x")));
    assertThat(open().search(query("x").between(fine, fine.plusNanos(1))).total()).isEqualTo(1);
    assertThat(open().search(query("x").between(fine.plusNanos(1), Instant.MAX)).total()).isZero();
    assertThat(open().search(query("x").between(Instant.MIN, fine)).total()).isZero();
  }

  @Test
  default void namesItsAgents() {
    Block unused = memory("zoe").create(Block.of("zoe", "n", Block.Kind.CORE));
    assertThat(open().insert(owned("Bob", entry("1", "x")))).isTrue();
    assertThat(open().insert(owned("zoe", entry("2", "x")))).isTrue();

    assertThat(open().agents()).containsExactly("Bob", "zoe");
  }
}
