package dev.switchboard.store;

import java.sql.Types;
import org.jspecify.annotations.Nullable;

/// A value that is missing, of a type that a server knows: it plans a command anew each time that a
/// value of no type stands where one of a type has stood.
enum Missing {
  TEXT(Types.VARCHAR),
  INTEGER(Types.INTEGER),
  NUMBER(Types.BIGINT);

  final int type;

  Missing(int type) {
    this.type = type;
  }

  /// The value, or this in its place.
  Object or(@Nullable Object value) {
    return value == null ? this : value;
  }
}
