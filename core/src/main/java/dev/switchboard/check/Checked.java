package dev.switchboard.check;

import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the check of a call's arguments found.
public sealed interface Checked {

  /// Arguments that meet the schema.
  ///
  /// @param arguments what the handler gets: the value as given, unless a `request_heartbeat` was
  ///   removed or something was repaired
  /// @param bound the value of the tool's type; null for a schema stated as JSON
  /// @param repairs what was repaired, a sentence each
  record Accepted(Json arguments, @Nullable Object bound, List<String> repairs) implements Checked {
    public Accepted {
      repairs = List.copyOf(repairs);
    }
  }

  /// Arguments that do not meet the schema.
  ///
  /// @param faults every fault, at least one, and at most the first hundred
  /// @param undecided whether they are refused because their check would have been too costly or
  ///   too deep, so that it is not known whether they meet the schema
  record Refused(List<Fault> faults, boolean undecided) implements Checked {
    public Refused {
      faults = List.copyOf(faults);
    }

    /// Arguments that are known not to meet the schema.
    public Refused(List<Fault> faults) {
      this(faults, false);
    }
  }
}
