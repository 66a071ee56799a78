package dev.switchboard.check;

import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a check of arguments.
public sealed interface Checked {

  /// Valid arguments.
  ///
  /// @param arguments what the handler gets: as given, unless a `request_heartbeat` was removed or
  ///   something was repaired
  /// @param bound the value of the tool's type; null for a schema stated as JSON
  /// @param repairs the repairs, a sentence each
  record Accepted(Json arguments, @Nullable Object bound, List<String> repairs) implements Checked {
    public Accepted {
      repairs = List.copyOf(repairs);
    }
  }

  /// Refused arguments.
  ///
  /// @param faults every fault, at least one, at most the first hundred
  /// @param undecided whether the check would have been too costly or too deep
  record Refused(List<Fault> faults, boolean undecided) implements Checked {
    public Refused {
      faults = List.copyOf(faults);
    }

    /// Invalid arguments.
    public Refused(List<Fault> faults) {
      this(faults, false);
    }
  }
}
