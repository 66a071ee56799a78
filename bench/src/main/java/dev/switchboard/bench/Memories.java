package dev.switchboard.bench;

final class Memories {
  private Memories() {}

  static java.util.List<Row> run(boolean quick) throws Exception {
    int most = quick ? 100_000 : 1_000_000;
    for (MemoryDatabase d :
        java.util.List.of(MemoryDatabase.Sqlite.make(), MemoryDatabase.Postgres.make())) {
      var s = d.open("memory");
      System.err.println(d.name() + " " + MemoryFilling.fill(s.memory(), "big", 0, most));
      for (String w : java.util.List.of("lantern", "harbour", "weather", "note"))
        for (int i = 0; i < 4; i++) {
          long t = System.nanoTime();
          var h =
              s.memory().search(dev.switchboard.memory.MemoryQuery.of("big", w, "archival_memory"));
          System.err.println(w + " " + h.total() + " " + (System.nanoTime() - t) / 1000 + " us");
        }
      System.err.println(d);
      if (d instanceof MemoryDatabase.Postgres p) System.err.println(p.server().getPort());
    }
    if (System.getenv("HOLD") != null) Thread.sleep(3_600_000);
    return java.util.List.of();
  }
}
