package dev.switchboard.memory;

import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.MemoryQuery.Hits;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Where agents' memory is kept. The port for stores of one's own: limits, permissions and undo
/// live above it, in [Memory].
///
/// Implementations are safe for use by several threads; what a method has kept survives the process
/// where the store does. They throw an unchecked exception when something cannot be read or kept.
public interface MemoryStore extends AutoCloseable {
  /// The most edits of a block's log; before another one is kept, the oldest goes.
  int MOST_EDITS = 1_000;

  /// The agent's own blocks, in the order they were made.
  List<Block> blocks(String agent);

  /// The agent's own block of that label, or null.
  @Nullable Block block(String agent, String label);

  /// Makes all these changes, or none: false where one does not find what it expects. A block that
  /// goes takes its log and its shares with it. An edit that is kept takes the place of all of its
  /// number and above, and of those that are [#MOST_EDITS] or more below it.
  boolean apply(List<Change> changes);

  /// The block's edits, the latest first, undone ones too.
  List<Block.Edit> edits(String agent, String label, int most);

  /// The block's edit of that number, be it undone, or null.
  default Block.@Nullable Edit edit(String agent, String label, int number) {
    return edits(agent, label, Integer.MAX_VALUE).stream()
        .filter(edit -> edit.number() == number)
        .findFirst()
        .orElse(null);
  }

  /// Whether the block's log has an edit with that key, even if undone.
  default boolean hasEdit(String agent, String label, String key) {
    return edits(agent, label, Integer.MAX_VALUE).stream().anyMatch(edit -> key.equals(edit.key()));
  }

  /// The outcome of an edit that reads the block, changes it, and starts again if another was
  /// quicker. A store may have an agent's edits of one label wait for each other here, so that
  /// fewer are in vain; it need not, since a change is made only on what it expects.
  ///
  /// @param agent who edits, be the block its own or another's
  default <T> T inTurn(String agent, String label, Supplier<T> edit) {
    return edit.get();
  }

  /// What others have shared with that agent, in the order they did.
  List<Share> shares(String agent);

  /// The shares of that agent's own blocks, in the order they were made.
  List<Share> sharedBy(String owner);

  /// Shares a block, in the place of an earlier share of the same block and agent; nothing is done
  /// where there is no such block.
  void share(Share share);

  /// Takes a share back; false where there is none.
  boolean unshare(String owner, String label, String with);

  /// Keeps an entry; false, and nothing done, where one of that domain and id is there.
  boolean insert(Entry entry);

  /// Keeps those entries that are not there yet, in this order; returns how many that were. Kept
  /// one by one unless the store has a better way, as all stores of this library do: they keep all
  /// of them, or where one fails none.
  default int insertAll(List<Entry> entries) {
    int kept = 0;
    for (Entry entry : entries) {
      kept += insert(entry) ? 1 : 0;
    }
    return kept;
  }

  /// The agent's entry of that domain and id, or null.
  @Nullable Entry entry(String agent, String domain, String id);

  /// Deletes an entry; false where there is none.
  boolean delete(String agent, String domain, String id);

  /// Deletes the agent's entries of that domain and label; returns how many those were. Deleted a
  /// hundred at a time, so that no other writer waits long.
  default long deleteLabelled(String agent, String domain, String label) {
    MemoryQuery next =
        MemoryQuery.of(agent, "", domain).withLabel(label).withLimit(MemoryQuery.MAX_LIMIT);
    long deleted = 0;
    for (Hits hits = search(next); !hits.hits().isEmpty(); hits = search(next)) {
      long before = deleted;
      for (Hits.Hit hit : hits.hits()) {
        deleted += delete(agent, domain, hit.entry().id()) ? 1 : 0;
      }
      if (deleted == before) {
        break;
      }
    }
    return deleted;
  }

  /// Hands over each of the agent's entries, of all domains, in the order they were kept; those
  /// that are written or deleted meanwhile may be among them or not. All need not be in the process
  /// at a time.
  void forEachEntry(String agent, Consumer<Entry> reader);

  /// What a search finds. Any text is a valid query.
  Hits search(MemoryQuery query);

  /// What a search finds among the agent's entries and these, which are added for this one search.
  ///
  /// @param beside entries that pass the query's filters
  default Hits search(MemoryQuery query, List<Entry> beside) {
    return search(query).and(Ranking.among(beside, query), query);
  }

  /// The names of the agents that have anything here, in alphabetical order.
  List<String> agents();

  /// Lets go of what the store holds open, such as a file.
  @Override
  default void close() {}

  /// A change of one block, made only if the block is as expected.
  ///
  /// @param expected the block as it is; null if there is none
  /// @param next the block as it will be; null to delete it
  /// @param edit written into the block's log, in the place of all edits of its number and above,
  ///   and of the oldest; null for none
  record Change(@Nullable Block expected, @Nullable Block next, Block.@Nullable Edit edit) {
    /// @throws IllegalArgumentException when there is no block before and none after
    public Change {
      if (expected == null && next == null) {
        throw new IllegalArgumentException("a change needs a block before or after it");
      }
    }

    /// Whether the current block, or null, is the expected one: by version, edits and value, since
    /// a block that was deleted and created again restarts its versions.
    public boolean fits(@Nullable Block now) {
      if (expected == null || now == null) {
        return expected == null && now == null;
      }
      return expected.version() == now.version()
          && expected.edits() == now.edits()
          && expected.value().equals(now.value());
    }

    /// The block's owner.
    public String agent() {
      return either().agent();
    }

    /// The block's label.
    public String label() {
      return either().label();
    }

    private Block either() {
      Block block = next == null ? expected : next;
      if (block == null) {
        throw new IllegalStateException("a change needs a block before or after it");
      }
      return block;
    }
  }

  /// A block that another agent may use too.
  ///
  /// @param owner whose block it is
  /// @param with the agent who may use it too
  /// @param permission what that agent may do with it
  record Share(String owner, String label, String with, Permission permission) {}
}
