package dev.switchboard.store;

import java.nio.file.Path;

/// A process that does [MemoryWork] for as long as it lives, and says each number once it is kept.
final class KilledMemoryWriter {
  private KilledMemoryWriter() {}

  public static void main(String[] args) {
    try (Storage storage = Storage.open(args[0], Path.of(""))) {
      MemoryWork work = new MemoryWork(storage.memory(), "a");
      while (true) {
        System.out.println(work.next());
      }
    }
  }
}
