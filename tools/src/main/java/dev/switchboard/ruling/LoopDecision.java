package dev.switchboard.ruling;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.rule.StopReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the loop continues after a round.
public sealed interface LoopDecision {
  /// With another round.
  ///
  /// @param stillRequired the tools that delay an exit; empty for none
  record Continue(@JsonProperty("tools") List<String> stillRequired) implements LoopDecision {
    public Continue {
      stillRequired = List.copyOf(stillRequired);
    }
  }

  /// With another round and a reminder of required tools.
  ///
  /// @param strength 1, or 2 for the second and last
  /// @param text for the model
  record Remind(int strength, List<String> tools, String text) implements LoopDecision {
    public Remind {
      tools = List.copyOf(tools);
    }
  }

  /// The runtime calls these tools without arguments; then the loop ends, whatever the results.
  /// [RuleSet#unmet] names the rest.
  ///
  /// @param message the last text, null for none
  /// @param said true if the user has read it, null if not, as in [RoundEnd.Exit]
  record Force(
      List<String> tools, StopReason then, @Nullable String message, @Nullable Boolean said)
      implements LoopDecision {
    public Force {
      tools = List.copyOf(tools);
    }

    /// A decision without a last text.
    public Force(List<String> tools, StopReason then) {
      this(tools, then, null, null);
    }
  }

  /// With another round, since the reply does not match the requested schema.
  ///
  /// @param time 1, or 2 for the second and last
  /// @param text for the model
  record Correct(int time, List<Fault> faults, String text) implements LoopDecision {
    public Correct {
      faults = List.copyOf(faults);
    }
  }

  /// Not, since the last reply does not match the schema either; the runtime calls these tools
  /// first.
  ///
  /// @param faults of the last reply
  record Reject(List<Fault> faults, List<String> tools) implements LoopDecision {
    public Reject {
      faults = List.copyOf(faults);
      tools = List.copyOf(tools);
    }
  }

  /// Not.
  ///
  /// @param unmet the required tools that have not succeeded
  /// @param message the last text, null for none
  /// @param said true if the user has read it, null if not, as in [RoundEnd.Exit]
  record Exit(
      StopReason reason,
      @JsonProperty("tools") List<String> unmet,
      @Nullable String message,
      @Nullable Boolean said)
      implements LoopDecision {
    public Exit {
      unmet = List.copyOf(unmet);
    }

    /// A decision without a last text.
    public Exit(StopReason reason, List<String> unmet) {
      this(reason, unmet, null, null);
    }
  }
}
