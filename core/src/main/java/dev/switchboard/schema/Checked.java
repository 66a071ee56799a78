package dev.switchboard.schema;

import dev.switchboard.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the check of a call's arguments found.
public sealed interface Checked {

  /// Arguments that meet the schema.
  ///
  /// @param arguments what the handler gets: the very value given, unless a `request_heartbeat` was
  ///   taken out or something was repaired
  /// @param bound the value of the tool's type; null for a schema stated as JSON
  /// @param repairs what was mended, a sentence each
  record Accepted(Json arguments, @Nullable Object bound, List<String> repairs) implements Checked {
    public Accepted {
      repairs = List.copyOf(repairs);
    }
  }

  /// Arguments that do not meet the schema.
  ///
  /// @param faults all that is wrong with them, at least one; at most the first hundred
  record Refused(List<Fault> faults) implements Checked {
    public Refused {
      faults = List.copyOf(faults);
    }
  }
}
