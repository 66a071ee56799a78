package dev.switchboard.ruling;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What follows a call that was refused because start tools had not run.
///
/// @param next what the rules remember from then on
/// @param reminder what the model is told beside the refusal, null at the first
/// @param forced the calls that the runtime makes itself, at the third; where one of them fails the
///   gate stays closed, and the turn ends with a sentence that says so
public record StartStep(RuleState next, @Nullable String reminder, List<StartCall> forced) {
  public StartStep {
    forced = List.copyOf(forced);
  }
}
