package dev.switchboard.store;

import java.sql.Types;
import org.jspecify.annotations.Nullable;

/// A null value of a type that the server knows: for an untyped null in place of a typed value, the
/// server would plan the command again each time.
enum Missing {
  TEXT(Types.VARCHAR),
  INTEGER(Types.INTEGER),
  NUMBER(Types.BIGINT);

  final int type;

  Missing(int type) {
    this.type = type;
  }

  /// The value, or this typed null instead.
  Object or(@Nullable Object value) {
    return value == null ? this : value;
  }
}
