package dev.switchboard.check;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A number.
record NumberShape(Limits limits, Kind kind) implements Shape {
  /// The Java type of a number.
  enum Kind {
    NONE,
    FLOAT,
    DOUBLE,
    DECIMAL;

    private static final BigDecimal GREATEST_FLOAT = BigDecimal.valueOf(Float.MAX_VALUE);

    /// The kind of that Java type, or null.
    static @Nullable Kind of(Class<?> type) {
      if (type == double.class || type == Double.class) {
        return DOUBLE;
      }
      if (type == float.class || type == Float.class) {
        return FLOAT;
      }
      return type == BigDecimal.class ? DECIMAL : null;
    }

    /// The stated limits, narrowed to the range of the type.
    Limits within(Limits stated) {
      return this == FLOAT ? stated.within(GREATEST_FLOAT.negate(), GREATEST_FLOAT) : stated;
    }
  }

  @Override
  public @Nullable Object read(JsonTokens in) {
    if (kind == Kind.DECIMAL) {
      BigDecimal exact = in.decimalValue();
      if (!limits.admits(exact)) {
        throw Mismatch.INSTANCE;
      }
      return exact;
    }
    double rounded = in.doubleValue();
    if (!limits.surelyAdmits(rounded) && !limits.admits(in.decimalValue())) {
      throw Mismatch.INSTANCE;
    }
    return switch (kind) {
      case NONE, DECIMAL -> null;
      case FLOAT -> (float) rounded;
      case DOUBLE -> rounded;
    };
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!value.isNumber()) {
      faults.add(at, this, value);
    } else if (!limits.admits(value.decimalValue())) {
      faults.add(at, () -> limits.describe("number"), value);
    }
  }

  @Override
  public String expected() {
    return "number";
  }
}
