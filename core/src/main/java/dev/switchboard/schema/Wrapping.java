package dev.switchboard.schema;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What the value of an optional component is wrapped in.
enum Wrapping {
  NONE(null),
  OPTIONAL(Optional.empty()),
  OPTIONAL_INT(OptionalInt.empty()),
  OPTIONAL_LONG(OptionalLong.empty()),
  OPTIONAL_DOUBLE(OptionalDouble.empty());

  private final Absent empty;

  Wrapping(@Nullable Object empty) {
    this.empty = new Absent.Constant(empty);
  }

  Absent empty() {
    return empty;
  }

  @Nullable Object wrap(@Nullable Object value) {
    return switch (this) {
      case NONE -> value;
      case OPTIONAL -> Optional.ofNullable(value);
      case OPTIONAL_INT ->
          value instanceof Integer number ? OptionalInt.of(number) : OptionalInt.empty();
      case OPTIONAL_LONG ->
          value instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
      case OPTIONAL_DOUBLE ->
          value instanceof Double number ? OptionalDouble.of(number) : OptionalDouble.empty();
    };
  }
}
