package dev.switchboard.store;

import org.jspecify.annotations.Nullable;

/// A command of a migration step.
///
/// @param only the database that it is for, null for both
/// @param text as [DatabaseSyntax#written] takes it
record TableCommand(@Nullable DatabaseSyntax only, String text) {
  static TableCommand all(String text) {
    return new TableCommand(null, text);
  }

  static TableCommand sqlite(String text) {
    return new TableCommand(DatabaseSyntax.SQLITE, text);
  }

  static TableCommand postgresql(String text) {
    return new TableCommand(DatabaseSyntax.POSTGRESQL, text);
  }

  boolean isFor(DatabaseSyntax database) {
    return only == null || only == database;
  }
}
