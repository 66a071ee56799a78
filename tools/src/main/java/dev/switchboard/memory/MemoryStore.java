package dev.switchboard.memory;

import dev.switchboard.memory.Block.Edit;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.MemoryQuery.Hits;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A store of agents' memory. [Memory] implements limits, permissions and undo.
///
/// Implementations are thread-safe; stored data survives the process if the store does. They throw
/// an unchecked exception when something cannot be read or stored.
public interface MemoryStore extends AutoCloseable {
  /// The maximum number of edits in a block's log; a further one replaces the oldest.
  int MOST_EDITS = 1_000;

  /// The agent's own blocks, in the order of their creation.
  List<Block> blocks(String agent);

  /// The agent's own block of that label, or null.
  @Nullable Block block(String agent, String label);

  /// Makes all these changes, or none: false if one does not find what it expects. Deleting a block
  /// also deletes its log and its shares. A stored edit replaces all with its number or a higher
  /// one, and those that are [#MOST_EDITS] or more below it.
  ///
  /// @throws MemoryException when the store has no more room for the owner's principal
  boolean apply(List<Change> changes);

  /// The block's edits, the latest first, including undone ones.
  List<Block.Edit> edits(String agent, String label, int most);

  /// The block's edit of that number, even if it was undone; null if there is none.
  default @Nullable Edit edit(String agent, String label, int number) {
    return edits(agent, label, Integer.MAX_VALUE).stream()
        .filter(edit -> edit.number() == number)
        .findFirst()
        .orElse(null);
  }

  /// Whether the block's log has an edit with that key, even if it was undone.
  default boolean hasEdit(String agent, String label, String key) {
    return edits(agent, label, Integer.MAX_VALUE).stream().anyMatch(edit -> key.equals(edit.key()));
  }

  /// Runs an edit, which reads the block, changes it, and starts again if another writer was
  /// faster. A store may run an agent's edits of one label one after the other here, so that fewer
  /// are repeated. It need not: a change is made only if the block is as expected.
  ///
  /// @param agent the editor, whether the block is its own or another's
  default <T> T inTurn(String agent, String label, Supplier<T> edit) {
    return edit.get();
  }

  /// The shares with that agent, in order.
  List<Share> shares(String agent);

  /// The shares of that agent's own blocks, in order.
  List<Share> sharedBy(String owner);

  /// The store with further shares that are not stored: they last as long as their declaration.
  static MemoryStore withShares(MemoryStore store, List<Share> declared) {
    return declared.isEmpty() ? store : new DeclaredShares(store, declared);
  }

  /// Shares a block, replacing an earlier share of the same block and agent; without effect if
  /// there is no such block.
  void share(Share share);

  /// Revokes a share; false if there is none.
  boolean unshare(String owner, String label, String with);

  /// Stores an entry; false, without effect, if one of that domain and id exists. A store may drop
  /// what was said in conversations when it has no more room for it.
  ///
  /// @throws MemoryException when the store has no more room for the owner's principal
  boolean insert(Entry entry);

  /// Stores those entries that do not exist yet, in this order; returns their number. The default
  /// stores one by one; the library's stores store all or, if one fails, none.
  default int insertAll(List<Entry> entries) {
    int kept = 0;
    for (Entry entry : entries) {
      kept += insert(entry) ? 1 : 0;
    }
    return kept;
  }

  /// The agent's entry of that domain and id, or null.
  @Nullable Entry entry(String agent, String domain, String id);

  /// Deletes an entry; false if there is none.
  boolean delete(String agent, String domain, String id);

  /// Deletes the agent's entries of that domain and label, a hundred at a time so that other
  /// writers do not wait long; returns their number.
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

  /// Passes each of the agent's entries, of all domains, to the reader, in the order they were
  /// stored. Entries that are written or deleted meanwhile may be included or not. A store need not
  /// hold all in memory.
  void forEachEntry(String agent, Consumer<Entry> reader);

  /// The result of a search. Any text is a valid query.
  Hits search(MemoryQuery query);

  /// The result of a search among the agent's entries and these, which are added for this search
  /// only.
  ///
  /// @param beside entries that pass the query's filters
  default Hits search(MemoryQuery query, List<Entry> beside) {
    return search(query).and(Ranking.among(beside, query), query);
  }

  /// The names of the agents that have data here, in alphabetical order.
  List<String> agents();

  /// Releases resources, such as a file.
  @Override
  default void close() {}

  /// A change of one block, made only if the block is as expected.
  ///
  /// @param expected the current block; null if there is none
  /// @param next the block after the change; null to delete it
  /// @param edit added to the block's log, replacing all edits with its number or a higher one, and
  ///   the oldest; null for none
  record Change(@Nullable Block expected, @Nullable Block next, @Nullable Edit edit) {
    /// @throws IllegalArgumentException when both blocks are null
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

  /// A block that is shared with another agent.
  ///
  /// @param owner the block's owner
  /// @param with the other agent
  /// @param permission of the other agent
  record Share(String owner, String label, String with, Permission permission) {}
}
