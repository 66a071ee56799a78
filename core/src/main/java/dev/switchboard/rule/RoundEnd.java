package dev.switchboard.rule;

import org.jspecify.annotations.Nullable;

/// What a round ended with.
///
/// @param stop why no further round is possible, such as a limit or a hang-up; null while one is
/// @param terminal whether a result said that it is the last
/// @param exited whether a tool that ends the loop succeeded
/// @param results whether there are results that the model has not read
public record RoundEnd(
    @Nullable StopReason stop, boolean terminal, boolean exited, boolean results) {
  /// A round of text alone.
  public static final RoundEnd TEXT = new RoundEnd(null, false, false, false);

  /// A round of calls, none of which ends the loop.
  public static final RoundEnd RESULTS = new RoundEnd(null, false, false, true);

  /// A round with a result that says that it is the last.
  public static final RoundEnd TERMINAL = new RoundEnd(null, true, false, true);

  /// A round in which a tool that ends the loop succeeded.
  public static final RoundEnd EXITED = new RoundEnd(null, false, true, true);

  /// A round after which there cannot be another.
  public static RoundEnd stopped(StopReason reason) {
    return new RoundEnd(reason, false, false, false);
  }
}
