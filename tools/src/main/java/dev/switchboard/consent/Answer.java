package dev.switchboard.consent;

import dev.switchboard.json.Json;
import dev.switchboard.text.Durations;
import dev.switchboard.text.Surrogates;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A person's answer to a [ConsentRequest].
public sealed interface Answer {
  /// The call may run.
  ///
  /// @param holds for how long similar calls need no consent: zero for this call only
  /// @param arguments replace the call's own, null to keep those
  /// @param by who answered, null if the host knows no name
  /// @param forAll whether it holds in the conversations of every principal, not only of the one
  ///   who asked
  record Approved(Duration holds, @Nullable Json arguments, @Nullable String by, boolean forAll)
      implements Answer {
    /// @throws IllegalArgumentException when the duration is negative
    public Approved {
      if (holds.isNegative()) {
        throw new IllegalArgumentException("an approval cannot hold for a negative length of time");
      }
      holds = Durations.bounded(holds);
    }

    /// An approval that holds in the conversations of the principal who asked.
    public Approved(Duration holds, @Nullable Json arguments, @Nullable String by) {
      this(holds, arguments, by, false);
    }

    /// This approval, which holds in the conversations of every principal.
    ///
    /// @throws IllegalArgumentException when it is for this call only
    public Approved everywhere() {
      if (!lasts()) {
        throw new IllegalArgumentException("an approval of one call cannot hold for all");
      }
      return new Approved(holds, arguments, by, true);
    }

    /// This approval, with these arguments instead of the call's own.
    public Approved with(Json edited) {
      return new Approved(holds, edited, by, forAll);
    }

    /// Whether later calls need no consent.
    public boolean lasts() {
      return holds.isPositive();
    }

    @Override
    public Approved by(String name) {
      return new Approved(holds, arguments, name, forAll);
    }
  }

  /// The call may not run.
  ///
  /// @param reason for the model; may be empty
  /// @param by who answered, null if the host knows no name
  record Denied(String reason, @Nullable String by) implements Answer {
    public Denied {
      reason = Surrogates.repaired(reason);
    }

    @Override
    public Denied by(String name) {
      return new Denied(reason, name);
    }
  }

  /// No one could be asked.
  record Nobody() implements Answer {
    @Override
    public Nobody by(String name) {
      return this;
    }
  }

  /// This answer with the name of the person or host that gave it, which events show.
  Answer by(String name);

  /// This call may run.
  static Approved approveOnce() {
    return new Approved(Duration.ZERO, null, null);
  }

  /// This call may run, and for that duration the calls that the same rules ask about.
  static Approved approveFor(Duration length) {
    return new Approved(length, null, null);
  }

  /// This call may run, and from now on the calls that the same rules ask about.
  static Approved approveAlways() {
    return new Approved(Durations.LONGEST, null, null);
  }

  /// The call may not run, for this reason.
  static Denied deny(String reason) {
    return new Denied(reason, null);
  }
}
