package dev.switchboard.ruling;

import dev.switchboard.rule.StopReason;
import org.jspecify.annotations.Nullable;

/// How a round ended.
///
/// @param stop why no further round is possible, such as a limit or a hang-up; null if one is
/// @param exit the end of the loop that one of its calls requests, null for none
/// @param results whether there are results that the model has not read
public record RoundEnd(@Nullable StopReason stop, @Nullable Exit exit, boolean results) {
  /// A round of text alone.
  public static final RoundEnd TEXT = new RoundEnd(null, null, false);

  /// A round of calls, none of which ends the loop.
  public static final RoundEnd RESULTS = new RoundEnd(null, null, true);

  /// A round with a terminal result.
  public static final RoundEnd TERMINAL =
      new RoundEnd(null, new Exit(StopReason.TERMINAL_RESULT, null), true);

  /// A round in which a tool that ends the loop succeeded.
  public static final RoundEnd EXITED =
      new RoundEnd(null, new Exit(StopReason.TOOL_RULE, null), true);

  /// A round after which no other is possible.
  public static RoundEnd stopped(StopReason reason) {
    return new RoundEnd(reason, null, false);
  }

  /// An end of the loop that a call requests, delayed while another tool is required first.
  ///
  /// @param message the last text for the user, null for none
  /// @param said true if the user has read it, null if not: stored JSON leaves out null, but not
  ///   false
  public record Exit(StopReason reason, @Nullable String message, @Nullable Boolean said) {
    /// One whose text the user has not read.
    public Exit(StopReason reason, @Nullable String message) {
      this(reason, message, null);
    }

    /// The earlier one, with the other's text if it has none and is of the same kind.
    static @Nullable Exit first(@Nullable Exit one, @Nullable Exit other) {
      boolean wordless = one == null || one.message == null && one.reason == reason(other);
      return wordless && other != null ? other : one;
    }

    private static @Nullable StopReason reason(@Nullable Exit exit) {
      return exit == null ? null : exit.reason;
    }
  }
}
