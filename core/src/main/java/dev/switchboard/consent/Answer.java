package dev.switchboard.consent;

import dev.switchboard.json.Json;
import dev.switchboard.time.Lengths;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What a person says to a [ConsentRequest].
public sealed interface Answer {
  /// The call may run.
  ///
  /// @param holds for how long calls of the same scope need no asking: zero for this call only
  /// @param arguments these instead of the call's own, null to run the call as it is
  record Approved(Duration holds, @Nullable Json arguments) implements Answer {
    /// @throws IllegalArgumentException when the length of time is negative
    public Approved {
      if (holds.isNegative()) {
        throw new IllegalArgumentException("an approval cannot hold for less than no time");
      }
      holds = Lengths.bounded(holds);
    }

    /// The same, with these arguments instead of the call's own.
    public Approved with(Json edited) {
      return new Approved(holds, edited);
    }

    /// Whether later calls need no asking.
    public boolean lasts() {
      return holds.isPositive();
    }
  }

  /// The call may not run.
  ///
  /// @param reason told to the model; may be empty
  record Denied(String reason) implements Answer {}

  /// There was nobody to ask.
  record Nobody() implements Answer {}

  /// This call may run.
  static Approved approveOnce() {
    return new Approved(Duration.ZERO, null);
  }

  /// This call may run, and for so long others of the same scope.
  static Approved approveFor(Duration length) {
    return new Approved(length, null);
  }

  /// This call may run, and from now on others of the same scope.
  static Approved approveAlways() {
    return new Approved(Lengths.LONGEST, null);
  }

  /// The call may not run, for this reason.
  static Denied deny(String reason) {
    return new Denied(reason);
  }
}
