package dev.switchboard.check;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/// What is asked of every number, and what counts as a whole one.
final class Numbers {
  private Numbers() {}

  /// Whether the number lies in a double's range; all arithmetic on such numbers is cheap,
  /// `1e999999999` is not.
  static boolean inRange(BigDecimal number) {
    double rounded = number.doubleValue();
    return !Double.isInfinite(rounded) && (rounded != 0 || number.signum() == 0);
  }

  /// The parser's current number, exactly; null when its exponent is too large to be useful.
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

  /// Whether the number is an integer, as `4.0` and `1e2` are.
  static boolean whole(BigDecimal number) {
    return number.scale() <= 0 || number.stripTrailingZeros().scale() <= 0;
  }
}
