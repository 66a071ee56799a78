package dev.switchboard.check;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Year;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// An integer, including `4.0` and `1e2`.
record IntegerShape(Limits limits, Kind kind) implements Shape {
  /// The Java type of an integer; the limits of a shape are within its range.
  enum Kind {
    NONE(null, null, 0, 0),
    BYTE(byte.class, Byte.class, Byte.MIN_VALUE, Byte.MAX_VALUE),
    SHORT(short.class, Short.class, Short.MIN_VALUE, Short.MAX_VALUE),
    INT(int.class, Integer.class, Integer.MIN_VALUE, Integer.MAX_VALUE),
    LONG(long.class, Long.class, Long.MIN_VALUE, Long.MAX_VALUE),
    BIG(null, BigInteger.class, 0, 0),
    YEAR(null, Year.class, Year.MIN_VALUE, Year.MAX_VALUE);

    private final @Nullable Class<?> primitive;
    private final @Nullable Class<?> type;
    private final long least;
    private final long greatest;

    Kind(@Nullable Class<?> primitive, @Nullable Class<?> type, long least, long greatest) {
      this.primitive = primitive;
      this.type = type;
      this.least = least;
      this.greatest = greatest;
    }

    /// The kind of that Java type, or null.
    static @Nullable Kind of(Class<?> type) {
      for (Kind kind : values()) {
        if (type == kind.type || type == kind.primitive) {
          return kind;
        }
      }
      return null;
    }

    /// The stated limits, narrowed to the range of the type.
    Limits within(Limits stated) {
      return least == greatest
          ? stated
          : stated.within(BigDecimal.valueOf(least), BigDecimal.valueOf(greatest));
    }
  }

  @Override
  public @Nullable Object read(JsonTokens in) {
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
