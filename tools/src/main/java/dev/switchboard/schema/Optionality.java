package dev.switchboard.schema;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Whether a value is optional, and its type when it is present.
///
/// @param wrapper the kind of `Optional` around it, or null
record Optionality(boolean optional, @Nullable Class<?> wrapper, TypeUse content) {
  /// @throws IllegalArgumentException for a parameter that only another library can provide
  static Optionality of(TypeUse use, Annotations annotations) {
    Class<?> raw = use.raw();
    if (raw == Optional.class) {
      return new Optionality(true, raw, use.argument(0));
    }
    if (raw == OptionalInt.class) {
      return new Optionality(true, raw, TypeUse.of(int.class));
    }
    if (raw == OptionalLong.class) {
      return new Optionality(true, raw, TypeUse.of(long.class));
    }
    if (raw == OptionalDouble.class) {
      return new Optionality(true, raw, TypeUse.of(double.class));
    }
    boolean optional = annotations.nullable() || ParameterNote.of(annotations).optional();
    return new Optionality(optional && !raw.isPrimitive(), null, use);
  }
}
