package dev.switchboard.store;

/// The syntax in which a database differs from the other one.
enum DatabaseSyntax {
  SQLITE(
      "INTEGER",
      "INTEGER PRIMARY KEY",
      "INTEGER PRIMARY KEY AUTOINCREMENT",
      "BLOB",
      " WITHOUT ROWID",
      "",
      """
      json_object('v', 1, 'type', 'settled', 'id', call_id, 'tool', tool,
      'arguments', arguments, 'result', json(result))
      """),
  POSTGRESQL(
      "BIGINT",
      "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
      "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
      "BYTEA",
      "",
      " COLLATE \"C\"",
      """
      '{"v":1,"type":"settled","id":' || replace(to_json(call_id)::text, chr(57344) || '0', '\\u0000')
      || ',"tool":' || replace(to_json(tool)::text, chr(57344) || '0', '\\u0000')
      || ',"arguments":' || replace(to_json(arguments)::text, chr(57344) || '0', '\\u0000')
      || ',"result":' || result || '}'
      """);

  private final String number;
  private final String identity;
  private final String identityForEver;
  private final String bytes;
  private final String clustered;
  private final String exact;
  private final String settled;

  /// @param identity of rows numbered in the order of their creation
  /// @param identityForEver like identity, but numbers are never reused
  /// @param clustered the end of a table whose rows are stored in the order of its primary key
  /// @param exact follows a text that is ordered by its characters
  /// @param settled makes the entry of a line from a row of `settled_call`
  DatabaseSyntax(
      String number,
      String identity,
      String identityForEver,
      String bytes,
      String clustered,
      String exact,
      String settled) {
    this.number = number;
    this.identity = identity;
    this.identityForEver = identityForEver;
    this.bytes = bytes;
    this.clustered = clustered;
    this.exact = exact;
    this.settled = settled;
  }

  /// A column of texts in the order of their characters: an expression.
  String exact(String column) {
    return column + exact;
  }

  /// The current time of the database's clock, in milliseconds since 1970: an expression.
  String now() {
    return switch (this) {
      case SQLITE -> "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
      case POSTGRESQL -> "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    };
  }

  /// The end of a query that locks the rows it finds, without those that another has locked.
  String skippingLocked() {
    return switch (this) {
      case SQLITE -> "";
      case POSTGRESQL -> " FOR UPDATE SKIP LOCKED";
    };
  }

  /// The end of a query that keeps the rows it finds from being changed until its transaction ends.
  String sharingLocked() {
    return switch (this) {
      case SQLITE -> "";
      case POSTGRESQL -> " FOR SHARE";
    };
  }

  /// A column of any value whose query makes its transaction not wait for the disk: its changes may
  /// be lost with the server, unless something is committed after it.
  String unsynced() {
    return switch (this) {
      case SQLITE -> "NULL";
      case POSTGRESQL -> "set_config('synchronous_commit', 'off', true)";
    };
  }

  /// The command in this syntax.
  String written(String command) {
    return command
        .replace("{number}", number)
        .replace("{identity}", identity)
        .replace("{identity!}", identityForEver)
        .replace("{bytes}", bytes)
        .replace("{clustered}", clustered)
        .replaceAll("\\{exact:(\\w+)}", "$1" + exact)
        .replace("{settled}", settled.strip());
  }
}
