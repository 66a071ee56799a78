package dev.switchboard.agent;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.host.SeenLeases;
import dev.switchboard.text.ExceptionLog;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;

/// A conversation whose host holds it only while calls run, so that it can be cancelled and deleted
/// by others meanwhile.
///
/// Thread-safe.
final class BorrowedConversation {
  private static final System.Logger LOG = System.getLogger(BorrowedConversation.class.getName());

  private final LiveSession line;
  private final RunningCalls running;
  private final Runnable cancel;
  private final Runnable end;

  /// @param running the calls of that line
  /// @param cancel cancels those that run
  /// @param end ends the line
  BorrowedConversation(LiveSession line, RunningCalls running, Runnable cancel, Runnable end) {
    this.line = line;
    this.running = running;
    this.cancel = cancel;
    this.end = end;
  }

  /// Lets go of the conversation, and takes it again while calls run.
  void begin(SeenLeases seen) {
    ToolSession session = line.session();
    running.within(() -> session.host().acquire(seen), () -> release(session));
    release(session);
  }

  private static void release(ToolSession session) {
    RuntimeException unused = session.host().events().flush();
    try {
      session.host().lease().release();
    } catch (RuntimeException e) {
      // It ends by itself.
      LOG.log(Level.DEBUG, "a conversation is still held", e);
    }
  }

  /// Cancels its calls, and denies its requests in the name of that person; false if there are
  /// none.
  boolean cancel(String by) {
    boolean any = running.any();
    cancel.run();
    List<ConsentRequest> waiting = line.session().refresh().unanswered();
    Answer deny = Answer.deny("it was cancelled").by(by);
    for (ConsentRequest request : waiting) {
      boolean unused = line.answer(request.id(), deny);
    }
    return any || !waiting.isEmpty();
  }

  /// Cancels its calls and ends the line; false if a call does not end in time, and then the line
  /// stays.
  boolean end(Duration most) throws InterruptedException {
    cancel.run();
    if (!running.await(most)) {
      return false;
    }
    try {
      end.run();
    } catch (RuntimeException e) {
      ExceptionLog.warn(LOG, "a session did not end well", e);
    }
    return true;
  }
}
