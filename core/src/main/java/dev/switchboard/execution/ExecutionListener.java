package dev.switchboard.execution;

import dev.switchboard.tool.ToolCall;
import java.time.Duration;

/// Somebody who is told what happens at the door: an audit log, a meter, a test.
///
/// Called on the threads of the calls, several at once; what it throws is logged and changes
/// nothing.
public interface ExecutionListener {
  /// An attempt has failed, and after that pause there will be another.
  ///
  /// @param attempt the number of the one that failed, from 1
  /// @param cause what went wrong, as the model would read it
  default void retrying(ToolCall call, int attempt, String cause, Duration pause) {}

  /// A call has its result; told once for every call.
  default void settled(CallRecord call) {}
}
