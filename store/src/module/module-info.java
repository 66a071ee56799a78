/// Conversations and memory in SQLite and PostgreSQL.
module dev.switchboard.store {
  requires transitive dev.switchboard.tools;
  requires com.zaxxer.hikari;
  requires java.sql;
  requires org.postgresql.jdbc;
  requires org.xerial.sqlitejdbc;

  exports dev.switchboard.store;
}
