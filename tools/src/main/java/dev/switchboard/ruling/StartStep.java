package dev.switchboard.ruling;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What follows a call that was refused because start tools had not run.
///
/// @param next the next state of the rules
/// @param reminder for the model, null the first time
/// @param forced the calls of the runtime, the third time; if one fails, the gate stays closed, and
///   the turn ends with a sentence that says so
public record StartStep(RuleState next, @Nullable String reminder, List<StartCall> forced) {
  public StartStep {
    forced = List.copyOf(forced);
  }
}
