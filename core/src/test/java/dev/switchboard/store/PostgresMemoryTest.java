package dev.switchboard.store;

import dev.switchboard.memory.MemoryStore;
import dev.switchboard.memory.MemoryStoreContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

class PostgresMemoryTest implements MemoryStoreContract {
  private final String place = PostgresServer.newPlace();
  private final List<Storage> opened = new ArrayList<>();

  @Override
  public MemoryStore open() {
    // A pool each would be many connections.
    if (opened.isEmpty()) {
      opened.add(Stores.open(place, Path.of("")));
    }
    return opened.getFirst().memory();
  }

  @AfterEach
  void close() {
    opened.forEach(Storage::close);
  }
}
