package dev.switchboard.schema;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// The two ways of a check, each for itself.
final class Ways {
  private Ways() {}

  static boolean fast(Shape shape, String text) {
    try {
      bound(shape, text);
      return true;
    } catch (Mismatch | JacksonException e) {
      return false;
    }
  }

  static @Nullable Object bound(Shape shape, String text) {
    try (Tokens in = Tokens.of(text)) {
      in.next();
      Object bound = shape.read(in);
      in.end();
      return bound;
    }
  }

  static boolean slow(Shape shape, String text) {
    Reading reading = Reading.of(text);
    Faults faults = reading.faults();
    if (reading.tree() != null) {
      shape.explain(reading.tree(), Place.ROOT, faults);
    }
    return faults.isEmpty();
  }
}
