package dev.switchboard.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Year;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A whole number, also written `4.0` or `1e2`.
record IntegerShape(Limits limits, Kind kind) implements Shape {
  /// What a whole number is bound to; the limits of a kind lie within its range.
  enum Kind {
    NONE,
    BYTE,
    SHORT,
    INT,
    LONG,
    BIG,
    YEAR
  }

  @Override
  public @Nullable Object read(Tokens in) {
    if (in.isLong()) {
      long value = in.longValue();
      if (!limits.admits(value)) {
        throw Mismatch.INSTANCE;
      }
      return bind(value);
    }
    BigDecimal exact = in.decimalValue();
    if (!Numbers.whole(exact) || !limits.admits(exact)) {
      throw Mismatch.INSTANCE;
    }
    return switch (kind) {
      case NONE -> null;
      case BIG -> exact.toBigIntegerExact();
      case BYTE, SHORT, INT, LONG, YEAR -> bind(exact.longValueExact());
    };
  }

  private @Nullable Object bind(long value) {
    return switch (kind) {
      case NONE -> null;
      case BYTE -> (byte) value;
      case SHORT -> (short) value;
      case INT -> (int) value;
      case LONG -> value;
      case BIG -> BigInteger.valueOf(value);
      case YEAR -> Year.of((int) value);
    };
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!value.isNumber() || !Numbers.whole(value.decimalValue())) {
      faults.add(at, this, value);
    } else if (!limits.admits(value.decimalValue())) {
      faults.add(at, () -> limits.describe("integer"), value);
    }
  }

  @Override
  public String expected() {
    return "integer";
  }
}
