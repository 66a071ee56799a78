package dev.switchboard.check;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The wrapper of an optional component's value.
enum OptionalWrapper {
  NONE,
  OPTIONAL,
  OPTIONAL_INT,
  OPTIONAL_LONG,
  OPTIONAL_DOUBLE;

  /// The wrapper of that class of `Optional`, or none.
  static OptionalWrapper of(@Nullable Class<?> type) {
    if (type == Optional.class) {
      return OPTIONAL;
    }
    if (type == OptionalInt.class) {
      return OPTIONAL_INT;
    }
    if (type == OptionalLong.class) {
      return OPTIONAL_LONG;
    }
    return type == OptionalDouble.class ? OPTIONAL_DOUBLE : NONE;
  }

  /// The value of an absent component.
  Absent empty() {
    return switch (this) {
      case NONE -> Absent.NULL;
      case OPTIONAL -> new Absent.Constant(Optional.empty());
      case OPTIONAL_INT -> new Absent.Constant(OptionalInt.empty());
      case OPTIONAL_LONG -> new Absent.Constant(OptionalLong.empty());
      case OPTIONAL_DOUBLE -> new Absent.Constant(OptionalDouble.empty());
    };
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
