package dev.switchboard.check;

import dev.switchboard.kotlin.OmittedArgument;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The value of an absent component.
sealed interface Absent {
  /// Null, also for a required component.
  Absent NULL = new Constant(null);

  /// The default of a constructor.
  Absent LEFT_OUT = new Constant(OmittedArgument.VALUE);

  @Nullable Object value();

  /// The value, bound by the shape.
  static Absent of(JsonNode value, Shape shape, OptionalWrapper wrapping) {
    Fresh fresh = new Fresh(shape, value, wrapping);
    boolean mutable =
        value.isContainer() || (shape instanceof StringShape string && string.bindsArray());
    return mutable ? fresh : new Constant(fresh.value());
  }

  /// One immutable value for all calls.
  record Constant(@Nullable Object value) implements Absent {}

  /// A mutable default, such as an array: a new one for each call.
  record Fresh(Shape shape, JsonNode json, OptionalWrapper wrapping) implements Absent {
    @Override
    public @Nullable Object value() {
      try (JsonTokens in = JsonTokens.of(json, new Faults(Long.MAX_VALUE))) {
        return wrapping.wrap(shape.read(in));
      }
    }
  }
}
