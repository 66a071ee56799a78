package dev.switchboard.execution.host;

import dev.switchboard.json.Json;
import dev.switchboard.state.LoopState;
import dev.switchboard.state.Spending;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A session as the host that drives its conversation uses it.
///
/// Thread-safe. Methods that write throw a
/// [dev.switchboard.execution.ConversationConflictException] if another process continues the
/// conversation.
public interface HostSession {
  /// The session's events.
  HostEvents events();

  /// The lease of this process on the conversation.
  HostLease lease();

  /// Whether the session has a store, which had nothing of the conversation when it was opened.
  boolean startsEmpty();

  /// Acquires the lease for a turn, and reads what other processes have done.
  ///
  /// @param seen the leases of other processes that this one has seen
  void acquire(SeenLeases seen);

  /// Begins the turn of that number, in one write with a line and events.
  ///
  /// @param by who acts for the principal in it, null for the principal
  /// @param key of the line
  /// @param logged the events by key, which are logged and not shown
  void beginTurn(int number, @Nullable String by, String key, Json line, Map<String, Event> logged);

  /// Begins the turn of that number; without effect if any process has begun it.
  ///
  /// @param by who acts for the principal in it, null for the principal
  void beginTurn(int number, @Nullable String by);

  /// Accepts calls again after the turn was cancelled.
  void forgetCancelledTurn();

  /// Makes each call of the host its own turn; calls that its tool makes belong to it.
  void makeCallsTurns();

  /// Appends a line to the stored conversation, if there is a store; false if the line waits for
  /// the next write: a call, an event of the log, or the end of the turn.
  ///
  /// @param mayWait whether it may wait, as it then does if events are logged
  boolean append(String key, Json line, boolean mayWait);

  /// Appends a line with what models have used for it: both are stored in one write.
  void append(String key, Json line, Spending.Sum used);

  /// Changes what the conversation has used.
  void changeSpending(UnaryOperator<Spending> change);

  /// Stores the waiting lines, as is necessary before a handler begins; results may wait further.
  void storeLines();

  /// The calls of the runtime in this turn with their results, in the order they settled.
  Map<ToolCall, ToolResult> ownCalls();

  /// The call of that id as it ran, null if it has no result.
  @Nullable ToolCall settledCall(String id);

  /// Does work that can be cancelled with the conversation or its turn; returns its value.
  ///
  /// @param interrupt ends the work, called from any thread
  <T extends @Nullable Object> T cancellable(Runnable interrupt, Supplier<T> work);

  /// Stores the state of the loop at the end of a turn; the lease remains.
  void storeLoop(LoopState loop);

  /// Stores the state of the loop at the end of a turn, and releases the lease in the same write.
  void endTurn(LoopState loop);
}
