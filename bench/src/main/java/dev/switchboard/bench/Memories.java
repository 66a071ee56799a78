package dev.switchboard.bench;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.store.Storage;
import dev.switchboard.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// What the memory of an agent costs that has few entries and many, beside the least that its
/// database can do for the same.
final class Memories implements AutoCloseable {
  private static final String PLACE = "memory";
  private static final String BIG = "big";
  private static final String SMALL = "small";
  private static final int FEW = 1_000;
  private static final int EDITS = 100;
  private static final int WRITERS = 64;
  private static final int BEFORE = 50;
  private static final String TEXT = "A line of the notes, one of many.\n".repeat(29) + "one";

  private final MemoryDatabase database;
  private final Storage storage;
  private final MemoryStore store;
  private final Memory memory;
  private final BareMemory bare;
  private final Duel duel;
  private int blocks;

  private Memories(MemoryDatabase database, boolean quick) throws Exception {
    this.database = database;
    storage = database.open(PLACE);
    store = storage.memory();
    memory = Memory.of(store, BIG, Time.SYSTEM);
    bare = new BareMemory(database, PLACE);
    duel = new Duel("%,.0f", 8, quick ? 9 : 21);
  }

  static List<Row> run(boolean quick) throws Exception {
    List<Row> rows = new ArrayList<>();
    List<MemoryDatabase> databases =
        List.of(MemoryDatabase.Sqlite.make(), MemoryDatabase.Postgres.make());
    for (MemoryDatabase one : databases) {
      try (one;
          Memories memories = new Memories(one, quick)) {
        rows.addAll(
            memories.rows(quick ? List.of(FEW, 100_000) : List.of(FEW, 100_000, 1_000_000)));
      }
    }
    return rows;
  }

  private List<Row> rows(List<Integer> sizes) throws Exception {
    List<Row> rows = new ArrayList<>();
    double seconds = 0;
    int filled = 0;
    // The server plans for tables as they were when it last looked: not for empty ones.
    for (int i = 0; i < BEFORE; i++) {
      Cost unused = appends();
    }
    for (int size : sizes) {
      System.err.printf("%s: up to %,d entries%n", database.name(), size);
      seconds += MemoryFilling.fill(store, BIG, filled, size);
      filled = size;
      bare.settle();
      rows.addAll(of(size));
    }
    rows.add(search(filled, MemoryFilling.SOME));
    rows.add(search(filled, MemoryFilling.COMMON));
    rows.addAll(besideFew(filled));
    rows.add(
        duel.row(
            what("%d writers on one block, edits a second / bare JDBC, one writer", WRITERS),
            this::writers,
            this::bareWriter));
    String taken = String.format(Locale.ROOT, "%,.0f", seconds);
    rows.add(new Row(what("%,d entries put away: s", filled), taken, "-", "-"));
    return rows;
  }

  private List<Row> of(int size) throws Exception {
    return List.of(
        duel.best(
            what("an append, %,d entries / bare JDBC", size), this::appends, this::bareAppends),
        duel.best(
            what("a replace, %,d entries / bare JDBC", size), this::replaces, this::bareReplaces),
        search(size, MemoryFilling.RARE));
  }

  private String what(String form, int number) {
    return database.name() + ": " + String.format(Locale.ROOT, form, number);
  }

  private String block() {
    String label = "block" + blocks++;
    Block unused =
        memory.create(
            Block.of(BIG, label, Block.Kind.WORKING).withCharLimit(1_000_000).withValue(TEXT));
    return label;
  }

  private Cost appends() {
    String label = block();
    return Meter.of(EDITS, i -> memory.append(label, "0123456789"));
  }

  private Cost replaces() {
    String label = block();
    return Meter.of(
        EDITS,
        i -> memory.replace(label, i % 2 == 0 ? "one" : "two", i % 2 == 0 ? "two" : "one", true));
  }

  private Cost bareAppends() {
    BareMemory.Edited block = bare.begin(BIG, block(), TEXT);
    return Meter.of(EDITS, i -> block.edit(block.value() + "0123456789"));
  }

  private Cost bareReplaces() {
    BareMemory.Edited block = bare.begin(BIG, block(), TEXT);
    return Meter.of(
        EDITS,
        i ->
            block.edit(
                block.value().replace(i % 2 == 0 ? "one" : "two", i % 2 == 0 ? "two" : "one")));
  }

  private Row search(int entries, String word) throws Exception {
    long matches = found(store, BIG, word).total();
    int times = times(word);
    String sought = bare.sought(BIG, word);
    return duel.best(
        database.name()
            + String.format(
                Locale.ROOT, ": a search, %,d of %,d entries match / bare JDBC", matches, entries),
        () -> Meter.of(times, i -> found(store, BIG, word)),
        () -> Meter.of(times, i -> bare.search(sought)));
  }

  /// As many as take some hundredths of a second.
  private int times(String word) {
    long start = System.nanoTime();
    Hits unused = found(store, BIG, word);
    return (int) Math.clamp(50_000_000 / (System.nanoTime() - start), 1, 100);
  }

  private static Hits found(MemoryStore store, String agent, String word) {
    Hits hits = store.search(MemoryQuery.of(agent, word, Entry.ARCHIVAL));
    if (hits.hits().size() != MemoryFilling.FEW) {
      throw new IllegalStateException("a search found " + hits.hits().size());
    }
    return hits;
  }

  private List<Row> besideFew(int entries) throws Exception {
    try (Storage other = database.open("alone")) {
      MemoryStore alone = other.memory();
      double unused = MemoryFilling.fill(alone, SMALL, 0, FEW);
      unused = MemoryFilling.fill(store, SMALL, 0, FEW);
      return List.of(
          duel.best(
              what("a search, 20 of %,d entries match / 20 of 1,000", entries),
              () -> searches(store, BIG),
              () -> searches(alone, SMALL)),
          duel.best(
              what("a search by an agent of 1,000 entries, beside one of %,d / alone", entries),
              () -> searches(store, SMALL),
              () -> searches(alone, SMALL)));
    }
  }

  private static Cost searches(MemoryStore store, String agent) {
    return Meter.of(100, i -> found(store, agent, MemoryFilling.RARE));
  }

  private double writers() throws Exception {
    String label = block();
    int each = 10;
    List<Future<?>> done = new ArrayList<>();
    long start = System.nanoTime();
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < WRITERS; i++) {
        done.add(writers.submit(() -> Meter.of(each, any -> memory.append(label, "x"))));
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    for (Future<?> one : done) {
      Object unused = one.get();
    }
    if (memory.block(label).block().edits() != WRITERS * each) {
      throw new IllegalStateException("an edit was lost");
    }
    return WRITERS * each / seconds;
  }

  private double bareWriter() {
    BareMemory.Edited block = bare.begin(BIG, block(), TEXT);
    Cost cost = Meter.of(WRITERS * 10, i -> block.edit(block.value() + "x"));
    return 1e9 / cost.wall();
  }

  @Override
  public void close() throws Exception {
    bare.close();
    storage.close();
  }
}
