package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.time.Time;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// Numbers that an agent remembers in every way, one after the other, and what must be there of
/// them whenever the work broke off.
///
/// @param agent who alone does this work
record MemoryWork(MemoryStore store, String agent) {
  /// How long a number's note is kept.
  private static final int NOTES = 3;

  /// Remembers the next number; it is kept when this returns.
  int next() {
    Memory memory = Memory.of(store, agent, Time.SYSTEM);
    for (String label : List.of("n", "left", "right")) {
      if (store.block(agent, label) == null) {
        Block unused =
            memory.create(Block.of(agent, label, Block.Kind.LOG).withCharLimit(1_000_000));
      }
    }
    int next = memory.block("n").block().edits() + 1;
    Block unused = memory.append("n", next + "\n");
    assertThat(store.apply(List.of(to(next, "left"), to(next, "right")))).isTrue();
    assertThat(store.insertAll(List.of(message(next), entry(next)))).isEqualTo(2);
    boolean known = store.delete(agent, Entry.ARCHIVAL, "e" + (next - NOTES));
    assertThat(known).as("of %d", next).isIn(next > NOTES, false);
    return next;
  }

  private MemoryStore.Change to(int number, String label) {
    Block block = block(label);
    int edit = block.edits() + 1;
    Block next = block.withValue(String.valueOf(number)).next(edit);
    Instant now = Instant.EPOCH;
    return new MemoryStore.Change(
        block,
        next,
        new Block.Edit(agent, label, edit, now, agent, "set", block.value(), next.value()));
  }

  private Entry entry(int number) {
    String text = "kept number" + number + " 東京都";
    return new Entry(
        agent, Entry.ARCHIVAL, "e" + number, "n", null, text, List.of("tag"), Instant.EPOCH);
  }

  private Entry message(int number) {
    String text = "said number" + number;
    return new Entry(
        agent, Entry.CONVERSATIONS, "e" + number, "c", "user", text, List.of(), Instant.EPOCH);
  }

  /// Every acknowledged number is there, none twice, and what is found is what is there.
  void isWhole(Set<Integer> acknowledged) {
    int latest = Collections.max(acknowledged);
    Block block = block("n");
    int last = block.edits();
    assertThat(last).isBetween(latest, latest + 1);
    assertThat(block.value().lines().map(Integer::valueOf))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, last).boxed().toList());
    Block left = block("left");
    Block right = block("right");
    assertThat(Integer.parseInt(left.value())).isBetween(latest, last);
    assertThat(right.value()).isEqualTo(left.value());
    assertThat(right.edits()).isEqualTo(left.edits());
    for (Block logged : List.of(block, left, right)) {
      assertThat(store.edits(agent, logged.label(), Integer.MAX_VALUE))
          .hasSize(Math.min(logged.edits(), MemoryStore.MOST_EDITS))
          .first()
          .extracting(Block.Edit::after)
          .isEqualTo(logged.value());
    }
    entriesAreWhole(acknowledged, last);
  }

  private Block block(String label) {
    return Memory.of(store, agent, Time.SYSTEM).block(label).block();
  }

  private void entriesAreWhole(Set<Integer> acknowledged, int last) {
    int notes = 0;
    int messages = 0;
    for (int number = 1; number <= last; number++) {
      boolean noted = isThereAndFound(Entry.ARCHIVAL, number);
      boolean said = isThereAndFound(Entry.CONVERSATIONS, number);
      notes += noted ? 1 : 0;
      messages += said ? 1 : 0;
      // Both came at once, and a note goes with a later number.
      boolean kept = number > last - NOTES;
      assertThat(noted).as("note %d of %d", number, last).isIn(said && kept, said);
      assertThat(said || !acknowledged.contains(number)).as("message %d", number).isTrue();
      assertThat(noted && acknowledged.contains(number + NOTES)).as("note %d", number).isFalse();
    }
    isAll(notes, query("kept", Entry.ARCHIVAL).withTags(List.of("tag")));
    isAll(notes, query("京都", Entry.ARCHIVAL).withLabel("n"));
    isAll(messages, query("said", Entry.CONVERSATIONS));
    isAll(notes + messages, query("", Entry.ARCHIVAL, Entry.CONVERSATIONS));
  }

  private boolean isThereAndFound(String domain, int number) {
    boolean there = store.entry(agent, domain, "e" + number) != null;
    isAll(there ? 1 : 0, query("number" + number, domain));
    return there;
  }

  private MemoryQuery query(String text, String... domains) {
    return MemoryQuery.of(agent, text, domains);
  }

  private void isAll(int count, MemoryQuery query) {
    assertThat(store.search(query).total()).as(query.text()).isEqualTo(count);
  }
}
