package dev.switchboard.store;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.memory.VectorStore;
import dev.switchboard.text.MemoryOwner;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Agents' memory in a database. Safe for use by several threads and processes; what a method has
/// stored survives the process.
final class SqlMemory implements VectorStore {
  private static final String BLOCK =
      "SELECT agent, label, kind, description, value, char_limit, permission, pinned, version,"
          + " edits FROM memory_block WHERE agent = ?";
  private static final String EDIT =
      "SELECT number, at, author, operation, earlier, later, key FROM memory_edit"
          + " WHERE agent = ? AND label = ?";

  private final Sql sql;
  private final ShareTable shares;
  private final EntryTable entries;
  private final ScopeTable scopes;
  private final VectorTable vectors;
  private final EditQueues queues = new EditQueues();

  SqlMemory(SearchableSql sql) {
    this.sql = sql;
    this.shares = new ShareTable(sql);
    this.entries = new EntryTable(sql);
    this.scopes = new ScopeTable(sql);
    this.vectors = new VectorTable(sql, entries);
  }

  @Override
  public List<Block> blocks(String agent) {
    return sql.query(BLOCK + " ORDER BY number", SqlMemory::block, agent);
  }

  @Override
  public @Nullable Block block(String agent, String label) {
    return first(sql.query(BLOCK + " AND label = ?", SqlMemory::block, agent, label));
  }

  private static Block block(Fields row) throws SQLException {
    return new Block(
        row.text(1),
        row.text(2),
        Block.Kind.of(row.text(3)),
        row.text(4),
        row.text(5),
        row.small(6),
        Permission.of(row.text(7)),
        row.number(8) != 0,
        row.number(9),
        row.small(10));
  }

  @Override
  public boolean apply(List<MemoryStore.Change> changes) {
    // In one order for all, so that no two wait for each other.
    List<MemoryStore.Change> sorted =
        changes.stream()
            .sorted(
                Comparator.comparing(MemoryStore.Change::agent)
                    .thenComparing(MemoryStore.Change::label))
            .toList();
    boolean applied =
        sql.together(session -> {
          for (MemoryStore.Change change : sorted) {
            if (!apply(session, change)) {
              return false;
            }
          }
          return true;
        });
    if (applied && changes.stream().anyMatch(change -> change.next() == null)) {
      sql.scrub();
    }
    return applied;
  }

  private static boolean apply(SqlSession session, MemoryStore.Change change) throws SQLException {
    Block expected = change.expected();
    Block next = change.next();
    boolean done;
    if (expected == null && next != null) {
      done = insert(session, next);
    } else if (expected != null && next != null) {
      done = update(session, expected, next);
    } else {
      done = expected != null && delete(session, expected);
    }
    Block.Edit edit = change.edit();
    if (done && edit != null) {
      log(session, edit);
    }
    return done;
  }

  private static boolean insert(SqlSession session, Block next) throws SQLException {
    return session.change(
        "INSERT INTO memory_block (agent, label, kind, description, value, char_limit, permission,"
            + " pinned, version, edits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            + " ON CONFLICT DO NOTHING",
        next.agent(),
        next.label(),
        next.kind().word(),
        next.description(),
        next.value(),
        next.charLimit(),
        next.permission().word(),
        next.pinned() ? 1 : 0,
        next.version(),
        next.edits());
  }

  private static boolean update(SqlSession session, Block expected, Block next)
      throws SQLException {
    return session.change(
        "UPDATE memory_block SET kind = ?, description = ?, value = ?, char_limit = ?,"
            + " permission = ?, pinned = ?, version = ?, edits = ?"
            + " WHERE agent = ? AND label = ? AND version = ? AND edits = ? AND value = ?",
        next.kind().word(),
        next.description(),
        next.value(),
        next.charLimit(),
        next.permission().word(),
        next.pinned() ? 1 : 0,
        next.version(),
        next.edits(),
        expected.agent(),
        expected.label(),
        expected.version(),
        expected.edits(),
        expected.value());
  }

  private static boolean delete(SqlSession session, Block gone) throws SQLException {
    boolean done =
        session.change(
            "DELETE FROM memory_block"
                + " WHERE agent = ? AND label = ? AND version = ? AND edits = ? AND value = ?",
            gone.agent(),
            gone.label(),
            gone.version(),
            gone.edits(),
            gone.value());
    if (done) {
      boolean unused =
          session.change(
              "DELETE FROM memory_edit WHERE agent = ? AND label = ?", gone.agent(), gone.label());
      unused =
          session.change(
              "DELETE FROM memory_share WHERE owner = ? AND label = ?", gone.agent(), gone.label());
    }
    return done;
  }

  private static void log(SqlSession session, Block.Edit edit) throws SQLException {
    boolean unused =
        session.change(
            "DELETE FROM memory_edit WHERE agent = ? AND label = ?"
                + " AND (number >= ? OR number <= ?)",
            edit.agent(),
            edit.label(),
            edit.number(),
            edit.number() - MOST_EDITS);
    unused =
        session.change(
            "INSERT INTO memory_edit"
                + " (agent, label, number, at, author, operation, earlier, later, key)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            edit.agent(),
            edit.label(),
            edit.number(),
            Nanoseconds.of(edit.at()),
            edit.by(),
            edit.operation(),
            edit.before(),
            edit.after(),
            edit.key());
  }

  @Override
  public List<Block.Edit> edits(String agent, String label, int most) {
    return sql.query(
        EDIT + " ORDER BY number DESC LIMIT ?", row -> edit(agent, label, row), agent, label, most);
  }

  @Override
  public Block.@Nullable Edit edit(String agent, String label, int number) {
    return first(
        sql.query(EDIT + " AND number = ?", row -> edit(agent, label, row), agent, label, number));
  }

  private static Block.Edit edit(String agent, String label, Fields row) throws SQLException {
    return new Block.Edit(
        agent,
        label,
        row.small(1),
        Nanoseconds.instant(row.number(2)),
        row.text(3),
        row.text(4),
        row.text(5),
        row.text(6),
        row.textOrNull(7));
  }

  @Override
  public boolean hasEdit(String agent, String label, String key) {
    String command = "SELECT 1 FROM memory_edit WHERE agent = ? AND label = ? AND key = ?";
    return !sql.query(command, row -> row.number(1), agent, label, key).isEmpty();
  }

  @Override
  public <T> T inTurn(String agent, String label, Supplier<T> edit) {
    return queues.inTurn(agent, label, edit);
  }

  @Override
  public List<MemoryStore.Share> shares(String agent) {
    return shares.with(agent);
  }

  @Override
  public List<MemoryStore.Share> sharedBy(String owner) {
    return shares.by(owner);
  }

  @Override
  public void share(MemoryStore.Share share) {
    shares.put(share);
  }

  @Override
  public boolean unshare(String owner, String label, String with) {
    return shares.remove(owner, label, with);
  }

  @Override
  public boolean insert(Entry entry) {
    return entries.insertAll(List.of(entry)) == 1;
  }

  @Override
  public int insertAll(List<Entry> added) {
    return entries.insertAll(added);
  }

  @Override
  public @Nullable Entry entry(String agent, String domain, String id) {
    return entries.entry(agent, domain, id);
  }

  @Override
  public boolean delete(String agent, String domain, String id) {
    boolean deleted = entries.delete(agent, domain, id);
    if (deleted) {
      scopes.prune(agent, domain);
      sql.scrub();
    }
    return deleted;
  }

  @Override
  public long deleteLabelled(String agent, String domain, String label) {
    MemoryQuery next =
        MemoryQuery.of(agent, "", domain).withLabel(label).withLimit(MemoryQuery.MAX_LIMIT);
    long all = 0;
    long deleted;
    do {
      deleted =
          entries.search(next).hits().stream()
              .filter(hit -> entries.delete(agent, domain, hit.entry().id()))
              .count();
      all += deleted;
    } while (deleted > 0);
    scopes.prune(agent, domain);
    if (all > 0) {
      sql.scrub();
    }
    return all;
  }

  @Override
  public void forEachEntry(String agent, Consumer<Entry> reader) {
    entries.forEach(agent, reader);
  }

  @Override
  public Hits search(MemoryQuery query) {
    return entries.search(query);
  }

  @Override
  public List<Unembedded> unembedded(String agent, String model, long after, int most) {
    return vectors.unembedded(agent, model, after, most);
  }

  @Override
  public void embed(long number, String model, VectorStore.Vector vector) {
    vectors.embed(number, model, vector);
  }

  @Override
  public List<Hits.Hit> nearest(MemoryQuery query, String model, VectorStore.Vector vector) {
    return vectors.nearest(query, model, vector);
  }

  @Override
  public List<String> agents() {
    return sql
        .query(
            "SELECT agent FROM memory_block UNION SELECT s.agent FROM memory_scope s"
                + " WHERE EXISTS (SELECT 1 FROM memory_entry e WHERE e.scope = s.number)",
            row -> MemoryOwner.agent(row.text(1)))
        .stream()
        .distinct()
        .sorted()
        .toList();
  }

  private static <T> @Nullable T first(List<T> rows) {
    return rows.isEmpty() ? null : rows.getFirst();
  }
}
