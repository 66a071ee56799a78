package dev.switchboard.schema;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A number.
record NumberShape(Limits limits, Kind kind) implements Shape {
  /// What a number is bound to.
  enum Kind {
    NONE,
    FLOAT,
    DOUBLE,
    DECIMAL
  }

  @Override
  public @Nullable Object read(Tokens in) {
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
