package dev.switchboard.check;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The limits of a number.
final class Limits {
  private static final BigDecimal LEAST_LONG = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal GREATEST_LONG = BigDecimal.valueOf(Long.MAX_VALUE);

  private final @Nullable BigDecimal least;
  private final @Nullable BigDecimal greatest;
  private final boolean aboveLeast;
  private final boolean belowGreatest;
  private final @Nullable BigDecimal step;
  private final long leastLong;
  private final long greatestLong;
  private final double leastDouble;
  private final double greatestDouble;

  private Limits(
      @Nullable BigDecimal least,
      @Nullable BigDecimal greatest,
      boolean aboveLeast,
      boolean belowGreatest,
      @Nullable BigDecimal step) {
    this.least = least;
    this.greatest = greatest;
    this.aboveLeast = aboveLeast;
    this.belowGreatest = belowGreatest;
    this.step = step;
    leastLong = least == null ? Long.MIN_VALUE : lowestLong(least, aboveLeast);
    greatestLong = greatest == null ? Long.MAX_VALUE : highestLong(greatest, belowGreatest);
    leastDouble = least == null ? Double.NEGATIVE_INFINITY : least.doubleValue();
    greatestDouble = greatest == null ? Double.POSITIVE_INFINITY : greatest.doubleValue();
  }

  /// The limits of a schema: the narrower of `minimum` and `exclusiveMinimum`, and so on.
  static Limits of(JsonNode schema) {
    BigDecimal least = number(schema, "minimum");
    BigDecimal above = number(schema, "exclusiveMinimum");
    boolean aboveLeast = above != null && (least == null || above.compareTo(least) >= 0);
    BigDecimal greatest = number(schema, "maximum");
    BigDecimal below = number(schema, "exclusiveMaximum");
    boolean belowGreatest = below != null && (greatest == null || below.compareTo(greatest) <= 0);
    return new Limits(
        aboveLeast ? above : least,
        belowGreatest ? below : greatest,
        aboveLeast,
        belowGreatest,
        number(schema, "multipleOf"));
  }

  /// These limits, narrowed to that range.
  Limits within(BigDecimal lowest, BigDecimal highest) {
    boolean narrowsLeast = least == null || lowest.compareTo(least) > 0;
    boolean narrowsGreatest = greatest == null || highest.compareTo(greatest) < 0;
    return new Limits(
        narrowsLeast ? lowest : least,
        narrowsGreatest ? highest : greatest,
        aboveLeast && !narrowsLeast,
        belowGreatest && !narrowsGreatest,
        step);
  }

  private static @Nullable BigDecimal number(JsonNode schema, String keyword) {
    JsonNode value = schema.get(keyword);
    return value != null && value.isNumber() ? value.decimalValue() : null;
  }

  private static long lowestLong(BigDecimal least, boolean above) {
    BigDecimal whole = least.setScale(0, RoundingMode.CEILING);
    if (above && whole.compareTo(least) == 0) {
      whole = whole.add(BigDecimal.ONE);
    }
    // Above all longs: an empty interval.
    return whole.compareTo(GREATEST_LONG) > 0
        ? Long.MAX_VALUE
        : whole.max(LEAST_LONG).longValueExact();
  }

  private static long highestLong(BigDecimal greatest, boolean below) {
    BigDecimal whole = greatest.setScale(0, RoundingMode.FLOOR);
    if (below && whole.compareTo(greatest) == 0) {
      whole = whole.subtract(BigDecimal.ONE);
    }
    return whole.compareTo(LEAST_LONG) < 0
        ? Long.MIN_VALUE
        : whole.min(GREATEST_LONG).longValueExact();
  }

  boolean admits(long value) {
    if (value < leastLong || value > greatestLong) {
      return false;
    }
    boolean sure = step == null && value != Long.MIN_VALUE && value != Long.MAX_VALUE;
    return sure || admits(BigDecimal.valueOf(value));
  }

  /// Whether a number that rounds to this double is certainly within the limits.
  boolean surelyAdmits(double rounded) {
    return rounded > leastDouble && rounded < greatestDouble && step == null;
  }

  boolean admits(BigDecimal value) {
    if (least != null && value.compareTo(least) < (aboveLeast ? 1 : 0)) {
      return false;
    }
    if (greatest != null && value.compareTo(greatest) > (belowGreatest ? -1 : 0)) {
      return false;
    }
    return step == null || value.remainder(step).signum() == 0;
  }

  /// For example `integer between 1 and 20`.
  String describe(String type) {
    StringBuilder text = new StringBuilder(type);
    if (least != null && greatest != null && !aboveLeast && !belowGreatest) {
      text.append(" between ").append(plain(least)).append(" and ").append(plain(greatest));
    } else {
      if (least != null) {
        text.append(aboveLeast ? " greater than " : " of at least ").append(plain(least));
      }
      if (greatest != null) {
        text.append(least == null ? "" : " and")
            .append(belowGreatest ? " less than " : " of at most ");
        text.append(plain(greatest));
      }
    }
    return step == null ? text.toString() : text + ", a multiple of " + plain(step);
  }

  private static String plain(BigDecimal number) {
    boolean small = Math.abs((long) number.scale()) < 30;
    return small ? number.toPlainString() : number.toString();
  }
}
