package dev.switchboard.memory;

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

/// Memory that lasts as long as its process. Safe for use by several threads.
public final class InProcessMemory implements MemoryStore {
  // All guarded by this.
  private final Map<Key, Block> blocks = new LinkedHashMap<>();
  private final Map<Key, List<BlockEdit>> logs = new HashMap<>();
  private final Map<ShareKey, Share> shares = new LinkedHashMap<>();
  private final LinkedHashMap<EntryKey, Ranking.Indexed> entries = new LinkedHashMap<>();

  private record Key(String agent, String label) {}

  private record ShareKey(Key block, String with) {}

  private record EntryKey(String agent, String domain, String id) {}

  /// Memory that holds nothing yet.
  public InProcessMemory() {}

  @Override
  public synchronized List<Block> blocks(String agent) {
    return blocks.values().stream().filter(block -> block.agent().equals(agent)).toList();
  }

  @Override
  public synchronized @Nullable Block block(String agent, String label) {
    return blocks.get(new Key(agent, label));
  }

  @Override
  public synchronized boolean apply(List<Change> changes) {
    Map<Key, @Nullable Block> ahead = new HashMap<>();
    for (Change change : changes) {
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

  private void make(Change change) {
    Key key = new Key(change.agent(), change.label());
    Block next = change.next();
    if (next == null) {
      blocks.remove(key);
      logs.remove(key);
      shares.keySet().removeIf(share -> share.block.equals(key));
    } else {
      blocks.put(key, next);
    }
    BlockEdit edit = change.edit();
    if (edit != null) {
      List<BlockEdit> log = logs.computeIfAbsent(key, any -> new ArrayList<>());
      log.removeIf(old -> old.number() >= edit.number());
      log.add(edit);
    }
  }

  @Override
  public synchronized List<BlockEdit> edits(String agent, String label, int most) {
    return logs.getOrDefault(new Key(agent, label), List.of()).reversed().stream()
        .limit(most)
        .toList();
  }

  @Override
  public synchronized List<Share> shares(String agent) {
    return shares.values().stream().filter(share -> share.with().equals(agent)).toList();
  }

  @Override
  public synchronized List<Share> sharedBy(String owner) {
    return shares.values().stream().filter(share -> share.owner().equals(owner)).toList();
  }

  @Override
  public synchronized void share(Share share) {
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
    List<Ranking.Indexed> indexed =
        added.stream().map(one -> new Ranking.Indexed(one, Words.of(one.text()))).toList();
    synchronized (this) {
      int before = entries.size();
      for (Ranking.Indexed one : indexed) {
        Entry entry = one.entry();
        EntryKey key = new EntryKey(entry.agent(), entry.domain(), entry.id());
        Ranking.Indexed unused = entries.putIfAbsent(key, one);
      }
      return entries.size() - before;
    }
  }

  @Override
  public synchronized @Nullable Entry entry(String agent, String domain, String id) {
    Ranking.Indexed found = entries.get(new EntryKey(agent, domain, id));
    return found == null ? null : found.entry();
  }

  @Override
  public synchronized boolean delete(String agent, String domain, String id) {
    return entries.remove(new EntryKey(agent, domain, id)) != null;
  }

  @Override
  public void forEachEntry(String agent, Consumer<Entry> reader) {
    List<Ranking.Indexed> all;
    synchronized (this) {
      all = List.copyOf(entries.sequencedValues());
    }
    all.stream()
        .map(Ranking.Indexed::entry)
        .filter(entry -> entry.agent().equals(agent))
        .forEach(reader);
  }

  @Override
  public Hits search(MemoryQuery query) {
    List<Ranking.Indexed> allowed = allowed(query);
    if (!query.text().isBlank()) {
      return Ranking.of(allowed, query);
    }
    return Hits.latest(
        allowed.stream().map(Ranking.Indexed::entry).limit(query.limit()).toList(), allowed.size());
  }

  /// What the filters let through, the latest first.
  private List<Ranking.Indexed> allowed(MemoryQuery query) {
    List<Ranking.Indexed> all;
    synchronized (this) {
      all = List.copyOf(entries.sequencedValues().reversed());
    }
    return all.stream()
        .filter(one -> query.allows(one.entry()))
        .sorted(Comparator.comparing(one -> one.entry().at(), Comparator.reverseOrder()))
        .toList();
  }

  @Override
  public synchronized List<String> agents() {
    Collection<String> agents = new TreeSet<>();
    blocks.keySet().forEach(key -> agents.add(key.agent));
    entries.keySet().forEach(key -> agents.add(key.agent));
    return List.copyOf(agents);
  }
}
