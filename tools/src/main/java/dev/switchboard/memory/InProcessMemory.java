package dev.switchboard.memory;

import dev.switchboard.memory.InProcessEntries.Kept;
import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.Places;
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
///
/// It has room for as many characters as [Bound#MEMORY] says, of each principal and in all. Where
/// there is no room for a principal, the oldest of what its conversations said goes first, then the
/// oldest edits of a block that is edited; after that, entries and changes of blocks are refused,
/// and what is said is not kept.
public final class InProcessMemory implements VectorStore {
  // All are guarded by this.
  private final Map<Key, Block> blocks = new LinkedHashMap<>();
  private final Map<Key, List<Block.Edit>> logs = new HashMap<>();
  private final Map<ShareKey, MemoryStore.Share> shares = new LinkedHashMap<>();
  private final InProcessEntries entries;
  private final Places room;

  private record Key(String agent, String label) {}

  private record ShareKey(Key block, String with) {}

  /// An empty memory.
  public InProcessMemory() {
    this(Bound.MEMORY.all());
  }

  /// An empty memory with room for that many characters in all, half of them of one principal.
  public InProcessMemory(int characters) {
    room = new Places(Bound.MEMORY, characters);
    entries = new InProcessEntries(room);
  }

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
    makeRoom(changes);
    changes.forEach(this::make);
    return true;
  }

  private void makeRoom(List<MemoryStore.Change> changes) {
    Map<String, Long> more = new HashMap<>();
    Map<String, Long> logged = new HashMap<>();
    for (MemoryStore.Change change : changes) {
      String principal = MemoryOwner.principal(change.agent());
      Key key = new Key(change.agent(), change.label());
      Block.Edit edit = change.edit();
      long added = characters(change.next()) - characters(blocks.get(key));
      more.merge(principal, added + characters(edit), Long::sum);
      logged.merge(principal, edit == null ? 0 : sum(log(key)), Long::sum);
    }
    more.forEach((principal, added) -> {
      if (added > 0 && !entries.makeRoom(principal, added, logged.getOrDefault(principal, 0L))) {
        throw entries.full(principal, added);
      }
    });
    for (MemoryStore.Change change : changes) {
      String principal = MemoryOwner.principal(change.agent());
      List<Block.Edit> log = log(new Key(change.agent(), change.label()));
      long added = more.getOrDefault(principal, 0L);
      while (change.edit() != null
          && added > 0
          && !log.isEmpty()
          && room.refusal(principal, added) != null) {
        room.change(principal, -characters(log.removeFirst()));
      }
    }
  }

  private List<Block.Edit> log(Key key) {
    return logs.getOrDefault(key, List.of());
  }

  private static long sum(List<Block.Edit> log) {
    return log.stream().mapToLong(InProcessMemory::characters).sum();
  }

  private static long characters(@Nullable Block block) {
    return block == null
        ? 0
        : (long) InProcessEntries.OBJECT
            + block.label().length()
            + block.description().length()
            + block.value().length();
  }

  private static long characters(Block.@Nullable Edit edit) {
    return edit == null
        ? 0
        : (long) InProcessEntries.OBJECT + edit.before().length() + edit.after().length();
  }

  private void make(MemoryStore.Change change) {
    Key key = new Key(change.agent(), change.label());
    String principal = MemoryOwner.principal(change.agent());
    Block next = change.next();
    room.change(principal, characters(next) - characters(blocks.get(key)));
    if (next == null) {
      blocks.remove(key);
      room.change(principal, -sum(log(key)));
      logs.remove(key);
      shares.keySet().removeIf(share -> share.block.equals(key));
    } else {
      blocks.put(key, next);
    }
    Block.Edit edit = change.edit();
    if (edit != null) {
      List<Block.Edit> log = logs.computeIfAbsent(key, any -> new ArrayList<>());
      long before = sum(log);
      log.removeIf(edit::replaces);
      log.add(edit);
      room.change(principal, sum(log) - before);
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
      return entries.add(indexed);
    }
  }

  @Override
  public synchronized @Nullable Entry entry(String agent, String domain, String id) {
    return entries.find(agent, domain, id);
  }

  @Override
  public synchronized boolean delete(String agent, String domain, String id) {
    return entries.delete(agent, domain, id);
  }

  @Override
  public synchronized long deleteLabelled(String agent, String domain, String label) {
    return entries.deleteLabelled(agent, domain, label);
  }

  @Override
  public void forEachEntry(String agent, Consumer<Entry> reader) {
    List<Kept> all;
    synchronized (this) {
      all = entries.of(agent);
    }
    all.stream().map(Kept::entry).forEach(reader);
  }

  @Override
  public Hits search(MemoryQuery query) {
    List<Kept> all;
    synchronized (this) {
      all = entries.of(query.agent()).reversed();
    }
    return Ranking.search(
        all.stream()
            .map(stored -> stored.indexed)
            .filter(one -> query.allows(one.entry()))
            .toList(),
        query);
  }

  @Override
  public synchronized List<Unembedded> unembedded(
      String agent, String model, long after, int most) {
    return entries.unembedded(agent, model, after, most);
  }

  @Override
  public synchronized void embed(long number, String model, VectorStore.Vector vector) {
    entries.embed(number, model, vector);
  }

  @Override
  public synchronized List<Hits.Hit> nearest(
      MemoryQuery query, String model, VectorStore.Vector vector) {
    List<Hits.Hit> hits = new ArrayList<>();
    for (Kept stored : entries.of(query.agent()).reversed()) {
      VectorStore.Vector known = stored.vector(model);
      if (known != null && query.allows(stored.entry())) {
        hits.add(new Hits.Hit(stored.entry(), vector.similarity(known)));
      }
    }
    hits.sort(Comparator.comparingDouble(Hits.Hit::score).reversed());
    return hits.stream().limit(query.limit()).toList();
  }

  @Override
  public synchronized List<String> agents() {
    Collection<String> agents = new TreeSet<>();
    blocks.keySet().forEach(key -> agents.add(MemoryOwner.agent(key.agent)));
    entries.owners().forEach(owner -> agents.add(MemoryOwner.agent(owner)));
    return List.copyOf(agents);
  }
}
