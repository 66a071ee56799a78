package dev.switchboard.attempt;

import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolException.Kind;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.memory.MemoryException;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// How an attempt ended.
public sealed interface End {
  /// With an answer, possibly a refusal.
  record Answered(ToolResult result) implements End {}

  /// With an exception, described for the model.
  ///
  /// @param fault of the arguments, where the tool has refused them; otherwise null
  record Failed(
      Kind kind,
      ResultCode code,
      String cause,
      @Nullable Duration retryAfter,
      @Nullable Fault fault)
      implements End {
    static Failed of(Throwable thrown, boolean exposeErrors) {
      if (thrown instanceof ToolException e) {
        String message = e.getMessage();
        String cause = message == null || message.isBlank() ? "no reason given" : message;
        Fault fault = e.kind() == Kind.INVALID ? e.fault() : null;
        return new Failed(e.kind(), e.code(), cause, e.retryAfter(), fault);
      }
      if (thrown instanceof MemoryException e) {
        return new Failed(Kind.PERMANENT, ResultCode.FAILED, e.getMessage(), null, null);
      }
      Kind kind =
          thrown instanceof IOException || thrown instanceof TimeoutException
              ? ofHandler((Exception) thrown)
              : Kind.FAILURE;
      String cause =
          exposeErrors
              ? String.valueOf(thrown.toString())
              : "internal error (" + kind(thrown) + ")";
      return new Failed(kind, ResultCode.FAILED, cause, null, null);
    }

    /// A handler may have sent something before it failed.
    private static Kind ofHandler(Exception thrown) {
      Kind kind = Kind.of(thrown);
      return kind == Kind.UNSENT ? Kind.TRANSIENT : kind;
    }

    /// The name of its class, or of its first superclass that has one.
    private static String kind(Throwable thrown) {
      Class<?> type = thrown.getClass();
      while (type.isAnonymousClass()) {
        type = type.getSuperclass();
      }
      return type.getSimpleName();
    }

    /// This failure, not to be retried.
    Failed last() {
      boolean refused = kind == Kind.PERMANENT || kind == Kind.INVALID;
      return new Failed(refused ? kind : Kind.FINAL, code, cause, null, fault);
    }
  }

  /// It timed out.
  ///
  /// @param deadlinePassed whether the call's deadline passed, not the attempt's own limit
  /// @param limit the limit that was exceeded
  record TimedOut(boolean deadlinePassed, Duration limit) implements End {}

  /// It was cancelled; its answer is dropped.
  record Cancelled() implements End {}

  /// Whether the tool has refused the arguments, before it sent or changed anything.
  default boolean isRefusalOfArguments() {
    return this instanceof Failed failed && failed.kind == Kind.INVALID;
  }

  /// Whether the tool may have acted: no answer came, and the request may have arrived.
  default boolean leavesDoubt() {
    return switch (this) {
      case Answered(var result) -> false;
      case Cancelled() -> false;
      case TimedOut(var deadlinePassed, var limit) -> true;
      case Failed failed -> failed.kind == Kind.LOST;
    };
  }

  /// What went wrong, as the model reads it.
  default String cause() {
    return this instanceof Failed failed ? failed.cause : "timed out";
  }
}
