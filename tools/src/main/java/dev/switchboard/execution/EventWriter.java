package dev.switchboard.execution;

import dev.switchboard.text.ExceptionLog;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Stores groups of a conversation's events, and shows the stored ones. A group is dropped if the
/// store fails too often, or if another process continues the conversation: that one logs again the
/// events that have a key.
///
/// Thread-safe.
final class EventWriter {
  private static final System.Logger LOG = System.getLogger("dev.switchboard.execution.EventLog");
  // About five seconds in all.
  private static final int ATTEMPTS = 10;
  private static final Duration PATIENCE = Duration.ofMillis(400);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Journal journal;
  private final Time time;
  private final Consumer<Event.Logged> receiver;
  private int failures; // in a row; guarded by this
  private @Nullable RuntimeException dropCause; // why events were dropped; guarded by this

  /// @param receiver shows an event after it is stored
  EventWriter(Journal journal, Time time, Consumer<Event.Logged> receiver) {
    this.journal = journal;
    this.time = time;
    this.receiver = receiver;
  }

  /// The events with their numbers once they are stored; none if they are dropped, null if the
  /// caller may try again after a [#pause()].
  @Nullable List<Event.Logged> store(List<Event.Logged> group) {
    try {
      return journal.store().within(PATIENCE, () -> journal.append(group));
    } catch (ConversationConflictException lost) {
      LOG.log(Level.DEBUG, "another process appends the events of the conversation");
      return List.of();
    } catch (RuntimeException thrown) {
      if (countFailure(thrown)) {
        journal.store().failed(LOG, "events could not be stored", thrown);
        return List.of();
      }
      return null;
    }
  }

  /// Counts a failed write; whether it was the last attempt.
  private synchronized boolean countFailure(RuntimeException thrown) {
    failures++;
    boolean last = failures == ATTEMPTS;
    dropCause = last ? thrown : dropCause;
    return last;
  }

  /// Waits before the next attempt.
  void pause() {
    time.pause(new Time.Signal(), PAUSE);
  }

  /// Records that events were stored, here or with another write, or dropped.
  synchronized void succeeded() {
    failures = 0;
  }

  /// The first error of the store for which events were dropped since the last call, or null.
  synchronized @Nullable RuntimeException takeDropCause() {
    RuntimeException cause = dropCause;
    dropCause = null;
    return cause;
  }

  /// Shows a stored event.
  void show(Event.Logged event) {
    try {
      receiver.accept(event);
    } catch (Throwable thrown) {
      // Also an Error: the turn has its outcome whatever the host does.
      ExceptionLog.warn(
          LOG, ExceptionLog.in(journal.conversation(), "an event could not be shown"), thrown);
    }
  }
}
