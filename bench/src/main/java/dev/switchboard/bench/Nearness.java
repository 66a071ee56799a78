package dev.switchboard.bench;

import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.VectorStore;
import dev.switchboard.memory.VectorStore.Unembedded;
import dev.switchboard.store.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// What it costs to find the nearest of an agent's vectors, beside the same comparison of numbers
/// that are in the process already.
final class Nearness {
  private static final String AGENT = "a";
  private static final String MODEL = "m";
  private static final int DIMENSIONS = 1_536;

  private final Random random = new Random(1);
  private final List<float[]> known = new ArrayList<>();

  private Nearness() {}

  static List<Row> run(boolean quick) throws Exception {
    List<Row> rows = new ArrayList<>();
    for (MemoryDatabase one :
        List.of(MemoryDatabase.Sqlite.make(), MemoryDatabase.Postgres.make())) {
      try (one;
          Storage storage = one.open("nearness")) {
        Nearness nearness = new Nearness();
        for (int size : quick ? List.of(1_000) : List.of(1_000, 10_000)) {
          nearness.fill(storage.memory(), size);
          rows.add(nearness.row(one.name(), storage.memory(), quick));
        }
      }
    }
    return rows;
  }

  private void fill(VectorStore store, int size) {
    double unused = MemoryFilling.fill(store, AGENT, known.size(), size);
    for (Unembedded one : store.unembedded(AGENT, MODEL, 0, size)) {
      float[] numbers = numbers();
      known.add(numbers);
      store.embed(one.number(), MODEL, VectorStore.Vector.of(numbers));
    }
  }

  private float[] numbers() {
    float[] numbers = new float[DIMENSIONS];
    double squares = 0;
    for (int i = 0; i < DIMENSIONS; i++) {
      numbers[i] = (float) random.nextGaussian();
      squares += numbers[i] * numbers[i];
    }
    for (int i = 0; i < DIMENSIONS; i++) {
      numbers[i] /= (float) Math.sqrt(squares);
    }
    return numbers;
  }

  private Row row(String database, VectorStore store, boolean quick) throws Exception {
    float[] sought = numbers();
    VectorStore.Vector vector = VectorStore.Vector.of(sought);
    MemoryQuery query = MemoryQuery.of(AGENT, "", Entry.ARCHIVAL).withLimit(MemoryQuery.MAX_LIMIT);
    String what =
        String.format(
            Locale.ROOT,
            "%s: the nearest of %,d vectors of %,d numbers / compared in the process",
            database,
            known.size(),
            DIMENSIONS);
    return new Duel("%,.0f", 3, quick ? 5 : 11)
        .best(
            what,
            () -> Meter.of(3, i -> checked(store.nearest(query, MODEL, vector).size())),
            () -> Meter.of(3, i -> checked(above(sought))));
  }

  private static void checked(int found) {
    if (found < 1) {
      throw new IllegalStateException("nothing was near");
    }
  }

  private int above(float[] sought) {
    int above = 0;
    for (float[] numbers : known) {
      float sum = 0;
      for (int i = 0; i < DIMENSIONS; i++) {
        sum += numbers[i] * sought[i];
      }
      above += sum > 0 ? 1 : 0;
    }
    return above;
  }
}
