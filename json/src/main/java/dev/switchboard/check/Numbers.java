package dev.switchboard.check;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/// The rules for every number, and the test for integers.
final class Numbers {
  private Numbers() {}

  /// Whether the number is in a double's range, so that arithmetic is cheap, unlike `1e999999999`.
  static boolean inRange(BigDecimal number) {
    double rounded = number.doubleValue();
    return !Double.isInfinite(rounded) && (rounded != 0 || number.signum() == 0);
  }

  /// The parser's current number, exact; null if its exponent is too large.
  static @Nullable BigDecimal exact(JsonParser parser) {
    try {
      return parser.getDecimalValue();
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /// The number itself, zero without its exponent.
  ///
  /// @throws Mismatch when the number is out of range
  static BigDecimal requireInRange(@Nullable BigDecimal number) {
    if (number == null || !inRange(number)) {
      throw Mismatch.INSTANCE;
    }
    return number.signum() == 0 ? BigDecimal.ZERO : number;
  }

  /// Whether the number is an integer, including `4.0` and `1e2`.
  static boolean whole(BigDecimal number) {
    return number.scale() <= 0 || number.stripTrailingZeros().scale() <= 0;
  }
}
