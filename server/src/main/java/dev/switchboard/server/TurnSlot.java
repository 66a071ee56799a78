package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Turn;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.server.access.Problem;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs the turns of a conversation: one at a time, each on its own thread. An interrupted turn is
/// retried, after growing pauses.
///
/// Thread-safe.
final class TurnSlot {
  private static final System.Logger LOG = System.getLogger(TurnSlot.class.getName());
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final String agent;
  private final String conversation;
  private final TurnRoom room;
  private final String principal;
  private final Time time;
  private final BooleanSupplier unfinished;
  private final Watcher watcher;
  // The latch opens when the turn has ended or waits.
  private final AtomicReference<@Nullable CountDownLatch> turn = new AtomicReference<>();
  private volatile @Nullable Taken taking; // by the running turn
  private volatile boolean cutOff; // whether a turn has begun that has not ended
  private volatile int failures; // consecutive, of that turn
  private volatile long again; // when it is retried
  private volatile @Nullable Supplier<Problem> refused; // set when no more turns may begin

  /// Whose turns they are, and the room for all that run.
  record Owner(TurnRoom room, String principal) {}

  /// An accepted message.
  ///
  /// @param after the number of the latest event before it
  record Taken(String input, String text, long after) {}

  /// How a turn ended or paused.
  enum Rest {
    /// Normally: it has ended, or waits for a person.
    ENDED,
    /// Interrupted: its stored part is to be continued.
    BROKEN_OFF,
    /// Another process holds the conversation, and its state here is outdated.
    LOST
  }

  /// Observes its turns.
  interface Watcher {
    /// A turn begins, has ended, or was interrupted.
    void runs(boolean now, boolean brokenOff);

    /// A turn has begun, ended, or waits.
    void changed();

    /// Called after that, with the way it ended.
    void rested(Rest how);
  }

  /// @param unfinished whether the conversation has an unfinished turn
  TurnSlot(
      Agent agent, String conversation, Owner owner, BooleanSupplier unfinished, Watcher watcher) {
    this.agent = agent.name();
    this.conversation = conversation;
    room = owner.room;
    principal = owner.principal;
    time = agent.time();
    this.unfinished = unfinished;
    this.watcher = watcher;
    cutOff = unfinished.getAsBoolean();
  }

  /// Whether a turn runs.
  boolean isRunning() {
    return turn.get() != null;
  }

  /// Whether a turn has begun that has not ended.
  boolean isCutOff() {
    return cutOff;
  }

  /// The message of the running turn, null for none of this process.
  @Nullable Taken taking() {
    return taking;
  }

  /// Whether a turn was interrupted, and has to be retried.
  boolean isBroken() {
    return failures > 0;
  }

  /// Whether a turn was interrupted, and it is time to retry it.
  boolean isToBeTriedAgain() {
    return failures > 0 && !isRunning() && time.nanos() - again >= 0;
  }

  /// Prevents new turns.
  ///
  /// @param answer to clients that request one
  void refuse(Supplier<Problem> answer) {
    refused = answer;
  }

  /// Allows new turns again.
  void refuseNone() {
    refused = null;
  }

  /// @throws Problem while new turns are prevented
  void checkOpen() {
    Supplier<Problem> answer = refused;
    if (answer != null) {
      throw answer.get();
    }
  }

  /// Runs a turn; false if one runs, or none may begin.
  ///
  /// @param input of the turn, null for none of this process
  /// @param size the bytes of what it is given, and of the files in its conversation
  /// @throws FullException when its principal, or all of them, have too many turns under way, or
  ///   too many bytes in them
  boolean run(@Nullable Taken input, long size, Supplier<@Nullable Turn> work) {
    TurnRoom.Taken place = room.acquire(principal, size);
    CountDownLatch rest = new CountDownLatch(1);
    if (refused != null || !turn.compareAndSet(null, rest)) {
      place.close();
      return false;
    }
    taking = input;
    watcher.runs(true, false);
    watcher.changed();
    Thread unused =
        Thread.ofVirtual()
            .name("turn-" + conversation)
            .start(() -> {
              try (place) {
                toRest(work, rest);
              }
            });
    return true;
  }

  private void toRest(Supplier<@Nullable Turn> work, CountDownLatch latch) {
    Rest rest = Rest.BROKEN_OFF;
    try {
      Turn unused = work.get();
      rest = Rest.ENDED;
    } catch (ConversationConflictException e) {
      LOG.log(Level.DEBUG, "another process holds the conversation", e);
      rest = Rest.LOST;
    } catch (RuntimeException | Error e) {
      ExceptionLog.warn(LOG, ExceptionLog.in(agent, conversation, "a turn was interrupted"), e);
    } finally {
      atRest(rest == Rest.ENDED);
      latch.countDown();
    }
    watcher.rested(rest);
  }

  private void atRest(boolean ended) {
    cutOff = !ended && unfinished.getAsBoolean();
    failures = ended ? 0 : failures + 1;
    Duration pause = Duration.ofSeconds(1L << Math.min(failures, 10));
    again = time.nanos() + (pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE).toNanos();
    taking = null;
    watcher.runs(false, !ended);
    turn.set(null);
    watcher.changed();
  }

  /// Waits for the running turn, at most that long; returns whether none runs any more.
  boolean join(Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    for (CountDownLatch rest = turn.get(); rest != null; rest = turn.get()) {
      if (!rest.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    }
    return true;
  }
}
