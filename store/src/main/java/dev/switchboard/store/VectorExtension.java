package dev.switchboard.store;

import dev.switchboard.memory.VectorStore;
import dev.switchboard.store.WordIndex.Found;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// The vectors in PostgreSQL with its extension `vector` (pgvector): the server compares all of an
/// agent's vectors, without an index, which could miss some.
///
/// @param schema of the extension
record VectorExtension(String schema) implements VectorIndex {
  /// The vectors of that database. Its owner decides about the extension, with `CREATE EXTENSION
  /// vector`.
  static VectorIndex index(Connection connection) throws SQLException {
    SqlSession session = new SqlSession(connection, Texts.PLAIN, 0, "", LastWrites.none());
    List<String> schemas =
        session.query(
            "SELECT quote_ident(n.nspname) FROM pg_extension e"
                + " JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'",
            row -> row.text(1));
    if (schemas.isEmpty()) {
      return new ScannedVectors();
    }
    VectorExtension extension = new VectorExtension(schemas.getFirst());
    boolean unused = PostgresMigrations.alone(connection, extension::begin);
    return extension;
  }

  private boolean begin(Statement statement) throws SQLException {
    boolean unused =
        statement.execute(
            "CREATE TABLE IF NOT EXISTS %s (entry BIGINT PRIMARY KEY REFERENCES memory_entry ON DELETE CASCADE, scope BIGINT NOT NULL, model TEXT NOT NULL, vector %s.vector NOT NULL)"
                .formatted(table(), schema));
    return statement.execute(
        "CREATE INDEX IF NOT EXISTS %s_scope ON %s (scope, model)".formatted(table(), table()));
  }

  @Override
  public String table() {
    return "memory_pgvector";
  }

  @Override
  public String placeholder() {
    return "?::" + schema + ".vector";
  }

  @Override
  public Object value(VectorStore.Vector vector) {
    return vector.toString();
  }

  @Override
  public List<Found> nearest(
      Sql sql,
      String model,
      VectorStore.Vector vector,
      List<Long> scopes,
      WordIndex.Filter filter,
      int most) {
    // The negative inner product, which for directions is the negative cosine.
    String distance = "(v.vector OPERATOR(%s.<#>) %s)".formatted(schema, placeholder());
    List<Object> values = new ArrayList<>();
    values.add(vector.toString());
    values.add(model);
    values.addAll(scopes);
    values.add(vector.dimensions());
    values.addAll(filter.values());
    values.add(most);
    return sql.query(
        "SELECT v.entry, "
            + distance
            + " AS distance"
            + from(filter)
            + " WHERE v.model = ? AND v.scope IN ("
            + EntryTable.marks(scopes.size())
            + ") AND "
            + schema
            + ".vector_dims(v.vector) = ?"
            + filter.sql()
            + " ORDER BY distance, v.entry DESC LIMIT ?",
        row -> new Found(row.number(1), Math.clamp(-row.decimal(2), 0.0, 1.0)),
        values.toArray());
  }
}
