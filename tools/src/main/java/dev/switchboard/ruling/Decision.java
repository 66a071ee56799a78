package dev.switchboard.ruling;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The decision of the rules about a call.
public sealed interface Decision {
  /// The call may run.
  Decision ALLOWED = new Allowed();

  /// The call may run.
  record Allowed() implements Decision {}

  /// The call may not run now.
  ///
  /// @param violation the class of the broken rule with the highest priority
  /// @param sentence the text after `Tool rule violation: Tool 'x' cannot be executed: `
  /// @param hint how to correct the call, null if the sentence says it
  /// @param others the other violations, by priority
  record Denied(Violation violation, String sentence, @Nullable String hint, List<Denied> others)
      implements Decision {
    public Denied {
      others = List.copyOf(others);
    }

    /// Whether this is one of the reasons.
    public boolean isFor(Violation reason) {
      return violation == reason || others.stream().anyMatch(other -> other.violation == reason);
    }
  }
}
