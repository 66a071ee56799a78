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

/// Who runs the turns of a conversation that is open in the server: the server itself, or workers
/// that share its store.
///
/// Implementations are thread-safe.
interface TurnHost extends AutoCloseable {
  Duration BUSY_RETRY = Duration.ofSeconds(2);

  static Problem busy() {
    return Problem.of(409, "conversation_busy", "A turn runs in this conversation.")
        .retryAfter(BUSY_RETRY);
  }

  /// Takes the events of a turn that is told in the log.
  static void noOne(Object event) {}

  /// The sentences that were taken and whose turns have not ended, as far as the log may not tell
  /// of them.
  List<Waiting> taken();

  /// A sentence that was taken, and what its client calls the turn.
  record Waiting(Taken sentence, @Nullable String run) {}

  /// Whether a turn runs, or is to.
  boolean isRunning();

  /// Whether one runs in this process.
  boolean isRunningHere();

  /// Whether a turn broke off here that has to be tried again.
  boolean isBroken();

  /// Whether one broke off here, and it is time to try again.
  boolean isToBeTriedAgain();

  /// Waits a moment where all of a turn is told, and its end is about to be stored.
  void awaitEnding();

  /// Takes a sentence of the user's, which is stored from now on; the number of the latest event
  /// before it.
  ///
  /// @throws Problem when a turn runs, or it is not stored
  long say(Input.Said said);

  /// Runs something of the conversation's in this process, whoever runs its turns; the number of
  /// the latest event before it.
  ///
  /// @param id of the call that it is
  /// @throws Problem when a turn runs
  long run(String id, Function<Conversation, @Nullable Turn> work);

  /// Greets the user in this process, where the conversation has not begun; whether that may take a
  /// moment.
  boolean greet();

  /// The requests that no one has answered.
  List<ConsentRequest> waiting();

  /// Keeps an answer; what became of the request, null if there was none lately.
  ///
  /// @throws IllegalArgumentException when the arguments put in are not good ones
  @Nullable ConsentAnswer decide(String request, Answer answer);

  /// What is found in, or done to, the conversation without a turn.
  <T extends @Nullable Object> T in(Function<Conversation, T> work);

  /// Goes on with a turn that was cut off, or whose requests are answered, if it does not run.
  void resume();

  /// Ends the turn that runs, or waits: its requests are denied.
  ///
  /// @throws Problem `conversation_busy` where another process continues it that cannot be told
  void cancel(String by);

  /// Ends the turn that runs.
  void cancelTurn();

  /// Ends what runs in this process.
  void cancelHere();

  /// Has none begin here any more.
  ///
  /// @param answer to whoever wants one
  void refuse(Supplier<Problem> answer);

  /// Has turns begin again.
  void refuseNone();

  /// Waits for the turn that runs, at most that long; whether none runs any more.
  boolean join(Duration most) throws InterruptedException;

  /// Waits until no process continues the conversation, at most that long; whether none does.
  boolean awaitFree(Duration most) throws InterruptedException;

  /// Waits for what runs in this process, at most that long; whether nothing does any more.
  boolean joinHere(Duration most) throws InterruptedException;

  /// The conversation, which stays open here.
  Conversation conversation();

  /// How many bytes of files are in memory.
  long fileBytes();

  @Override
  void close();
}
