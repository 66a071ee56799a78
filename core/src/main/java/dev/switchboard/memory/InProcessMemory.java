package dev.switchboard.memory;

import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.text.MemoryOwner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Memory of this process. It is lost when the process ends. Thread-safe.
public final class InProcessMemory implements VectorStore {
  // All are guarded by this.
  private final Map<Key, Block> blocks = new LinkedHashMap<>();
  private final Map<Key, List<Block.Edit>> logs = new HashMap<>();
  private final Map<ShareKey, MemoryStore.Share> shares = new LinkedHashMap<>();
  private final LinkedHashMap<EntryKey, Kept> entries = new LinkedHashMap<>();
  private final Map<Long, Embedded> vectors = new HashMap<>();
  private long numbers;

  private record Key(String agent, String label) {}

  private record ShareKey(Key block, String with) {}

  private record EntryKey(String agent, String domain, String id) {
    static EntryKey of(Entry entry) {
      return new EntryKey(entry.agent(), entry.domain(), entry.id());
    }
  }

  private record Kept(long number, Ranking.Indexed indexed) {
    Entry entry() {
      return indexed.entry();
    }
  }

  private record Embedded(String model, VectorStore.Vector vector) {}

  /// An empty memory.
  public InProcessMemory() {}

  @Override
  public synchronized List<Block> blocks(String agent) {
    // Most agents have none, and this is read before every request to the model.
    return blocks.isEmpty() ? List.of() : all(agent);
  }

  private List<Block> all(String agent) {
    return blocks.values().stream().filter(block -> block.agent().equals(agent)).toList();
  }

  @Override
  public synchronized @Nullable Block block(String agent, String label) {
    return blocks.get(new Key(agent, label));
  }

  @Override
  public synchronized boolean apply(List<MemoryStore.Change> changes) {
    Map<Key, @Nullable Block> ahead = new HashMap<>();
    for (MemoryStore.Change change : changes) {
      Key key = new Key(change.agent(), change.label());
      Block now = ahead.containsKey(key) ? ahead.get(key) : blocks.get(key);
      if (!change.fits(now)) {
        return false;
      }
      ahead.put(key, change.next());
    }
    changes.forEach(this::make);
    return true;
  }

  private void make(MemoryStore.Change change) {
    Key key = new Key(change.agent(), change.label());
    Block next = change.next();
    if (next == null) {
      blocks.remove(key);
      logs.remove(key);
      shares.keySet().removeIf(share -> share.block.equals(key));
    } else {
      blocks.put(key, next);
    }
    Block.Edit edit = change.edit();
    if (edit != null) {
      List<Block.Edit> log = logs.computeIfAbsent(key, any -> new ArrayList<>());
      log.removeIf(edit::replaces);
      log.add(edit);
    }
  }

  @Override
  public synchronized List<Block.Edit> edits(String agent, String label, int most) {
    return logs.getOrDefault(new Key(agent, label), List.of()).reversed().stream()
        .limit(most)
        .toList();
  }

  @Override
  public synchronized List<MemoryStore.Share> shares(String agent) {
    return shares.isEmpty()
        ? List.of()
        : shares.values().stream().filter(share -> share.with().equals(agent)).toList();
  }

  @Override
  public synchronized List<MemoryStore.Share> sharedBy(String owner) {
    return shares.values().stream().filter(share -> share.owner().equals(owner)).toList();
  }

  @Override
  public synchronized void share(MemoryStore.Share share) {
    Key block = new Key(share.owner(), share.label());
    if (blocks.containsKey(block)) {
      shares.put(new ShareKey(block, share.with()), share);
    }
  }

  @Override
  public synchronized boolean unshare(String owner, String label, String with) {
    return shares.remove(new ShareKey(new Key(owner, label), with)) != null;
  }

  @Override
  public boolean insert(Entry entry) {
    return insertAll(List.of(entry)) == 1;
  }

  @Override
  public int insertAll(List<Entry> added) {
    List<Ranking.Indexed> indexed = added.stream().map(Ranking.Indexed::of).toList();
    synchronized (this) {
      int before = entries.size();
      for (Ranking.Indexed one : indexed) {
        Entry entry = one.entry();
        Kept unused = entries.putIfAbsent(EntryKey.of(entry), new Kept(++numbers, one));
      }
      return entries.size() - before;
    }
  }

  @Override
  public synchronized @Nullable Entry entry(String agent, String domain, String id) {
    Kept found = entries.get(new EntryKey(agent, domain, id));
    return found == null ? null : found.entry();
  }

  @Override
  public synchronized boolean delete(String agent, String domain, String id) {
    Kept gone = entries.remove(new EntryKey(agent, domain, id));
    if (gone != null) {
      vectors.remove(gone.number);
    }
    return gone != null;
  }

  @Override
  public void forEachEntry(String agent, Consumer<Entry> reader) {
    List<Kept> all;
    synchronized (this) {
      all = List.copyOf(entries.sequencedValues());
    }
    all.stream().map(Kept::entry).filter(entry -> entry.agent().equals(agent)).forEach(reader);
  }

  @Override
  public Hits search(MemoryQuery query) {
    List<Kept> all;
    synchronized (this) {
      all = List.copyOf(entries.sequencedValues().reversed());
    }
    return Ranking.search(
        all.stream().map(Kept::indexed).filter(one -> query.allows(one.entry())).toList(), query);
  }

  @Override
  public synchronized List<Unembedded> unembedded(
      String agent, String model, long after, int most) {
    return entries.values().stream()
        .filter(one -> one.number > after && one.entry().agent().equals(agent))
        .filter(one -> vector(one, model) == null)
        .limit(most)
        .map(one -> new Unembedded(one.number, one.entry()))
        .toList();
  }

  private VectorStore.@Nullable Vector vector(Kept one, String model) {
    Embedded embedded = vectors.get(one.number);
    return embedded == null || !embedded.model.equals(model) ? null : embedded.vector;
  }

  @Override
  public synchronized void embed(long number, String model, VectorStore.Vector vector) {
    if (entries.values().stream().anyMatch(one -> one.number == number)) {
      vectors.put(number, new Embedded(model, vector));
    }
  }

  @Override
  public synchronized List<Hits.Hit> nearest(
      MemoryQuery query, String model, VectorStore.Vector vector) {
    List<Hits.Hit> hits = new ArrayList<>();
    for (Kept one : entries.sequencedValues().reversed()) {
      VectorStore.Vector known = vector(one, model);
      if (known != null && query.allows(one.entry())) {
        hits.add(new Hits.Hit(one.entry(), vector.similarity(known)));
      }
    }
    hits.sort(Comparator.comparingDouble(Hits.Hit::score).reversed());
    return hits.stream().limit(query.limit()).toList();
  }

  @Override
  public synchronized List<String> agents() {
    Collection<String> agents = new TreeSet<>();
    blocks.keySet().forEach(key -> agents.add(MemoryOwner.agent(key.agent)));
    entries.keySet().forEach(key -> agents.add(MemoryOwner.agent(key.agent)));
    return List.copyOf(agents);
  }
}
