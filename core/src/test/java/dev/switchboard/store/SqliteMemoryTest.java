package dev.switchboard.store;

import dev.switchboard.memory.MemoryStore;
import dev.switchboard.memory.MemoryStoreContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteMemoryTest implements MemoryStoreContract {
  @TempDir private Path folder;
  private final List<Storage> opened = new ArrayList<>();

  @Override
  public MemoryStore open() {
    Storage storage = Stores.open("sqlite:store.db", folder);
    opened.add(storage);
    return storage.memory();
  }

  @AfterEach
  void close() {
    opened.forEach(Storage::close);
  }
}
