package dev.switchboard.rule;

import java.util.List;

/// How the loop goes on after a round.
public sealed interface LoopDecision {
  /// With another round.
  ///
  /// @param stillRequired the tools that an exit is held back for; empty while none is
  record Continue(List<String> stillRequired) implements LoopDecision {
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
  record Force(List<String> tools, StopReason then) implements LoopDecision {
    public Force {
      tools = List.copyOf(tools);
    }
  }

  /// Not at all.
  ///
  /// @param unmet the tools that were required and have not succeeded
  record Exit(StopReason reason, List<String> unmet) implements LoopDecision {
    public Exit {
      unmet = List.copyOf(unmet);
    }
  }
}
