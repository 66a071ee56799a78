package dev.switchboard.bench;

import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Entries like notes, of a dozen words each, common and rare ones, and in some of them words whose
/// number is known.
final class MemoryFilling {
  /// In this many of the first thousand entries.
  static final int FEW = 20;

  /// A word of [#FEW] entries, however many there are.
  static final String RARE = "lantern";

  /// A word of every thousandth entry.
  static final String SOME = "harbour";

  /// A word of every tenth entry.
  static final String COMMON = "weather";

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final int BATCH = 1_000;
  private static final int VOCABULARY = 20_000;
  private static final int WORDS = 12;

  private MemoryFilling() {}

  /// Adds the entries of these numbers to the agent's archival memory; seconds that took.
  static double fill(MemoryStore store, String agent, int from, int to) {
    Random random = new Random(from);
    long start = System.nanoTime();
    for (int next = from; next < to; next += BATCH) {
      List<Entry> batch = new ArrayList<>();
      for (int i = next; i < Math.min(to, next + BATCH); i++) {
        batch.add(entry(agent, i, random));
      }
      if (store.insertAll(batch) != batch.size()) {
        throw new IllegalStateException("an entry was there already");
      }
      if ((next + BATCH) % 100_000 == 0) {
        System.err.printf("%,d entries in %,d s%n", next + BATCH, seconds(start));
      }
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static long seconds(long start) {
    return (System.nanoTime() - start) / 1_000_000_000;
  }

  private static Entry entry(String agent, int number, Random random) {
    StringBuilder text = new StringBuilder("note");
    for (int i = 0; i < WORDS; i++) {
      // A word's rank and how often it stands there make a steady curve, as they do in language.
      text.append(" w").append((int) Math.pow(VOCABULARY, random.nextDouble()));
    }
    text.append(number < 1_000 && number % (1_000 / FEW) == 0 ? " " + RARE : "");
    text.append(number % 1_000 == 1 ? " " + SOME : "");
    text.append(number % 10 == 2 ? " " + COMMON : "");
    return new Entry(
        agent,
        Entry.ARCHIVAL,
        "entry-" + number,
        "notes",
        null,
        text.toString(),
        List.of("note"),
        START.plusSeconds(number));
  }
}
