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
  /// @param stillRequired the tools that an exit is held back for; empty while none is
  record Continue(@JsonProperty("tools") List<String> stillRequired) implements LoopDecision {
    public Continue {
      stillRequired = List.copyOf(stillRequired);
    }
  }

  /// With another round, and a reminder of tools that are required before the end.
  ///
  /// @param strength 1, or 2 for the second and last
  /// @param text what the model is told
  record Remind(int strength, List<String> tools, String text) implements LoopDecision {
    public Remind {
      tools = List.copyOf(tools);
    }
  }

  /// The runtime calls these tools itself, without arguments, one after the other; then the loop
  /// ends, whatever they answer. [RuleSet#unmet] names what is left.
  ///
  /// @param message the last words that go with the end, null for none
  record Force(List<String> tools, StopReason then, @Nullable String message)
      implements LoopDecision {
    public Force {
      tools = List.copyOf(tools);
    }

    /// A decision without last words.
    public Force(List<String> tools, StopReason then) {
      this(tools, then, null);
    }
  }

  /// With another round, since the reply is not of the form that was asked for.
  ///
  /// @param time 1, or 2 for the second and last
  /// @param text what the model is told
  record Correct(int time, List<Fault> faults, String text) implements LoopDecision {
    public Correct {
      faults = List.copyOf(faults);
    }
  }

  /// Not at all, since the reply is not of that form either; the runtime calls these tools before.
  ///
  /// @param faults of the last reply
  record Reject(List<Fault> faults, List<String> tools) implements LoopDecision {
    public Reject {
      faults = List.copyOf(faults);
      tools = List.copyOf(tools);
    }
  }

  /// Not at all.
  ///
  /// @param unmet the tools that were required and have not succeeded
  /// @param message the last words that go with the end, null for none
  record Exit(
      StopReason reason, @JsonProperty("tools") List<String> unmet, @Nullable String message)
      implements LoopDecision {
    public Exit {
      unmet = List.copyOf(unmet);
    }

    /// A decision without last words.
    public Exit(StopReason reason, List<String> unmet) {
      this(reason, unmet, null);
    }
  }
}
