package dev.switchboard.memory;

import dev.switchboard.memory.MemoryQuery.Hits;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A store that leaves to another what it does not do itself.
abstract class ForwardingMemory implements MemoryStore {
  private final MemoryStore store;

  /// @param store closed with this one
  ForwardingMemory(MemoryStore store) {
    this.store = store;
  }

  @Override
  public List<Share> shares(String agent) {
    return store.shares(agent);
  }

  @Override
  public List<Share> sharedBy(String owner) {
    return store.sharedBy(owner);
  }

  @Override
  public void share(Share share) {
    store.share(share);
  }

  @Override
  public boolean unshare(String owner, String label, String with) {
    return store.unshare(owner, label, with);
  }

  @Override
  public List<Block> blocks(String agent) {
    return store.blocks(agent);
  }

  @Override
  public @Nullable Block block(String agent, String label) {
    return store.block(agent, label);
  }

  @Override
  public boolean apply(List<Change> changes) {
    return store.apply(changes);
  }

  @Override
  public List<Block.Edit> edits(String agent, String label, int most) {
    return store.edits(agent, label, most);
  }

  @Override
  public Block.@Nullable Edit edit(String agent, String label, int number) {
    return store.edit(agent, label, number);
  }

  @Override
  public boolean hasEdit(String agent, String label, String key) {
    return store.hasEdit(agent, label, key);
  }

  @Override
  public <T> T inTurn(String agent, String label, Supplier<T> edit) {
    return store.inTurn(agent, label, edit);
  }

  @Override
  public boolean insert(Entry entry) {
    return store.insert(entry);
  }

  @Override
  public int insertAll(List<Entry> entries) {
    return store.insertAll(entries);
  }

  @Override
  public @Nullable Entry entry(String agent, String domain, String id) {
    return store.entry(agent, domain, id);
  }

  @Override
  public boolean delete(String agent, String domain, String id) {
    return store.delete(agent, domain, id);
  }

  @Override
  public long deleteLabelled(String agent, String domain, String label) {
    return store.deleteLabelled(agent, domain, label);
  }

  @Override
  public void forEachEntry(String agent, Consumer<Entry> reader) {
    store.forEachEntry(agent, reader);
  }

  @Override
  public Hits search(MemoryQuery query) {
    return store.search(query);
  }

  @Override
  public Hits search(MemoryQuery query, List<Entry> beside) {
    return store.search(query, beside);
  }

  @Override
  public List<String> agents() {
    return store.agents();
  }

  @Override
  public void close() {
    store.close();
  }
}
