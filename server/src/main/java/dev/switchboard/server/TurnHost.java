package dev.switchboard.server;

import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.loop.Input;
import dev.switchboard.server.TurnSlot.Taken;
import dev.switchboard.server.access.Problem;
import dev.switchboard.state.ConsentAnswer;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs the turns of a conversation that is open in the server: in the server itself, or in workers
/// that share its store.
///
/// Implementations are thread-safe.
interface TurnHost extends AutoCloseable {
  Duration BUSY_RETRY = Duration.ofSeconds(2);
  Duration STOPPING = Duration.ofSeconds(10);

  static Problem busy() {
    return Problem.of(409, "conversation_busy", "A turn runs in this conversation.")
        .retryAfter(BUSY_RETRY);
  }

  /// Another process has the conversation.
  static Problem elsewhere() {
    return Problem.of(409, "conversation_busy", "Another process is continuing it.")
        .retryAfter(BUSY_RETRY);
  }

  /// Waits for running calls to end.
  @FunctionalInterface
  interface Ending {
    /// Waits at most that long; returns whether they have ended.
    boolean await(Duration most) throws InterruptedException;
  }

  /// Waits until running calls have ended.
  ///
  /// @throws Problem `conversation_busy` when they do not in time
  static void awaitEnd(Ending ending) {
    try {
      if (!ending.await(STOPPING)) {
        throw Problem.of(409, "conversation_busy", "A call does not end.").retryAfter(STOPPING);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Problem.of(503, "draining", "The server ends.");
    }
  }

  /// Drops the events of a turn, which are in the log.
  static void noOne(Object event) {}

  /// The accepted messages whose turns have not ended and which may not be in the log.
  List<Waiting> taken();

  /// An accepted message, and its client's name for the turn.
  record Waiting(Taken sentence, @Nullable String run) {}

  /// Whether another host has closed the conversation, so that it has to be opened again.
  default boolean isClosed() {
    return false;
  }

  /// Whether a turn runs or is about to.
  boolean isRunning();

  /// Whether a turn runs in this process.
  boolean isRunningHere();

  /// Whether a turn was interrupted here, and has to be retried.
  boolean isBroken();

  /// Whether a turn was interrupted here, and it is time to retry it.
  boolean isToBeTriedAgain();

  /// Waits a moment if all events of a turn are there, and its end is about to be stored.
  void awaitEnding();

  /// Accepts a message of the user, which is stored from then on; returns the number of the latest
  /// event before it.
  ///
  /// @throws Problem when a turn runs, or it is not stored
  long say(Input.Said said);

  /// Runs work of the conversation in this process, wherever its turns run; returns the number of
  /// the latest event before it.
  ///
  /// @param id of the call
  /// @param size the bytes of its arguments
  /// @throws Problem when a turn runs
  long run(String id, long size, Function<Conversation, @Nullable Turn> work);

  /// Greets the user in this process, if the conversation has not begun; returns whether that may
  /// take a moment.
  boolean greet();

  /// The unanswered requests.
  List<ConsentRequest> waiting();

  /// Stores an answer; returns the outcome of the request, null if there was none recently.
  ///
  /// @throws IllegalArgumentException when the changed arguments are not valid
  @Nullable ConsentAnswer decide(String request, Answer answer);

  /// Runs work on the conversation outside a turn.
  <T extends @Nullable Object> T in(Function<Conversation, T> work);

  /// Continues an interrupted turn, or one whose requests are answered, if it does not run.
  void resume();

  /// Cancels the running or waiting turn: its requests are denied.
  ///
  /// @throws Problem `conversation_busy` when another process continues it that cannot be notified
  void cancel(String by);

  /// Cancels the running turn.
  void cancelTurn();

  /// Cancels the work in this process.
  void cancelHere();

  /// Prevents new turns.
  ///
  /// @param answer to clients that request one
  void refuse(Supplier<Problem> answer);

  /// Allows new turns again.
  void refuseNone();

  /// Waits for the running turn, at most that long; returns whether none runs any more.
  boolean join(Duration most) throws InterruptedException;

  /// Waits until no process continues the conversation, at most that long; returns whether none
  /// does.
  boolean awaitFree(Duration most) throws InterruptedException;

  /// Waits for the work in this process, at most that long; returns whether it has ended.
  boolean joinHere(Duration most) throws InterruptedException;

  /// The open conversation; it is not closed by the caller.
  Conversation conversation();

  /// The number of bytes of files in memory.
  long fileBytes();

  @Override
  void close();
}
