package dev.switchboard.schema;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Whether a value may be left out, and what it is when it is there.
record Optionality(boolean optional, Wrapping wrapping, TypeUse content) {
  static Optionality of(TypeUse use, Annotations annotations) {
    Class<?> raw = use.raw();
    if (raw == Optional.class) {
      return new Optionality(true, Wrapping.OPTIONAL, use.argument(0));
    }
    if (raw == OptionalInt.class) {
      return new Optionality(true, Wrapping.OPTIONAL_INT, TypeUse.of(int.class));
    }
    if (raw == OptionalLong.class) {
      return new Optionality(true, Wrapping.OPTIONAL_LONG, TypeUse.of(long.class));
    }
    if (raw == OptionalDouble.class) {
      return new Optionality(true, Wrapping.OPTIONAL_DOUBLE, TypeUse.of(double.class));
    }
    return new Optionality(annotations.nullable() && !raw.isPrimitive(), Wrapping.NONE, use);
  }
}
