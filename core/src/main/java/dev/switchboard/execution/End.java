package dev.switchboard.execution;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolException.Kind;
import dev.switchboard.memory.MemoryException;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// How an attempt ended.
sealed interface End {
  /// With an answer, if only with no.
  record Answered(ToolResult result) implements End {}

  /// With something thrown, put into words for the model.
  record Failed(Kind kind, ResultCode code, String cause, @Nullable Duration retryAfter)
      implements End {
    static Failed of(Throwable thrown, boolean exposeErrors) {
      if (thrown instanceof ToolException e) {
        String message = e.getMessage();
        return new Failed(
            e.kind(), e.code(), message == null ? "no reason given" : message, e.retryAfter());
      }
      if (thrown instanceof MemoryException e) {
        return new Failed(Kind.PERMANENT, ResultCode.FAILED, e.getMessage(), null);
      }
      Kind kind =
          thrown instanceof IOException || thrown instanceof TimeoutException
              ? Kind.of((Exception) thrown)
              : Kind.FAILURE;
      String cause =
          exposeErrors
              ? String.valueOf(thrown.toString())
              : "internal error (" + kind(thrown) + ")";
      return new Failed(kind, ResultCode.FAILED, cause, null);
    }

    /// The name of its class, or of the first above it that has one.
    private static String kind(Throwable thrown) {
      Class<?> type = thrown.getClass();
      while (type.isAnonymousClass()) {
        type = type.getSuperclass();
      }
      return type.getSimpleName();
    }

    /// The same, not to be tried again.
    Failed last() {
      return new Failed(kind == Kind.PERMANENT ? kind : Kind.FINAL, code, cause, null);
    }
  }

  /// Not in time.
  ///
  /// @param deadlinePassed whether it was the call's deadline, not the attempt's own limit
  record TimedOut(boolean deadlinePassed) implements End {}

  /// With nobody waiting any more.
  record Cancelled() implements End {}

  /// Whether the tool's policy lets another attempt follow.
  default boolean mayRepeat(Tool tool) {
    return switch (this) {
      case Answered(var result) -> false;
      case Cancelled() -> false;
      case TimedOut(var deadlinePassed) -> !deadlinePassed && tool.handler().endsWhenInterrupted();
      case Failed failed ->
          switch (failed.kind) {
            case FAILURE -> tool.options().retry().on() == RetryPolicy.On.ANY;
            case TRANSIENT, LOST -> true;
            case FINAL, PERMANENT -> false;
          };
    };
  }

  /// Whether nobody knows if the deed was done: no answer came, and the request may have got there.
  default boolean leavesDoubt() {
    return switch (this) {
      case Answered(var result) -> false;
      case Cancelled() -> false;
      case TimedOut(var deadlinePassed) -> true;
      case Failed failed -> failed.kind == Kind.LOST;
    };
  }

  /// What the circuit breaker makes of it, if it was the last.
  default Outcome.Health health() {
    return switch (this) {
      case Answered(var result) -> Outcome.Health.ANSWERED;
      case TimedOut(var deadlinePassed) -> Outcome.Health.FAILED;
      case Cancelled() -> Outcome.Health.UNKNOWN;
      case Failed failed when failed.kind == Kind.PERMANENT -> Outcome.Health.ANSWERED;
      case Failed failed when failed.code.countsForBreaker() -> Outcome.Health.FAILED;
      case Failed failed -> Outcome.Health.UNKNOWN;
    };
  }
}
