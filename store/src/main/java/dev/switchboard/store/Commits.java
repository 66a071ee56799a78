package dev.switchboard.store;

import dev.switchboard.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Group commit for the one connection that writes: work that arrives during a transaction is done
/// together in the next one, in order, by the thread that came first. Work that arrives alone does
/// not wait.
///
/// Thread-safe.
final class Commits {
  private static final int MOST = 256;
  // How often those that have waited for too long are looked for.
  private static final Duration STEP = Duration.ofMillis(20);

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Job> waiting = new ArrayDeque<>(); // guarded by lock
  private boolean writing; // guarded by lock
  private boolean watched; // whether an alarm is set for those; guarded by lock

  /// Writes several works in one transaction; for one thread at a time.
  interface Transaction {
    /// Whether it was committed; not if one of the works refuses.
    boolean written(List<Sql.Work> works) throws SQLException;
  }

  /// Work and its outcome; guarded by the lock.
  private static final class Job {
    final Sql.Work work;
    final long until;
    final Condition changed;
    boolean late; // given up before it began
    boolean alone; // since it, or one beside it, failed
    boolean done;
    boolean kept;

    Job(Sql.Work work, long until, Condition changed) {
      this.work = work;
      this.until = until;
      this.changed = changed;
    }
  }

  /// Whether the work was committed; if so, it is when this returns.
  ///
  /// @param until when it is given up if it has not begun
  /// @param transaction does this work, and what waits beside it
  /// @throws TimeoutException when it was given up
  boolean kept(Sql.Work work, long until, Transaction transaction)
      throws SQLException, TimeoutException {
    Job own = new Job(work, until, lock.newCondition());
    if (!leads(own)) {
      return own.kept;
    }
    try {
      List<Job> others = own.alone ? List.of() : others();
      boolean written = !others.isEmpty() && isWritten(own, others, transaction);
      return written || transaction.written(List.of(work));
    } finally {
      end();
    }
  }

  /// Waits for the work's turn; false if another thread has done it meanwhile. An interrupt does
  /// not prevent the work.
  private boolean leads(Job own) throws TimeoutException {
    lock.lock();
    try {
      waiting.addLast(own);
      while (!own.done && (writing || waiting.peekFirst() != own)) {
        watch();
        own.changed.awaitUninterruptibly();
        if (own.late) {
          throw new TimeoutException();
        }
      }
      if (!own.done) {
        waiting.removeFirst();
        writing = true;
      }
      return !own.done;
    } finally {
      lock.unlock();
    }
  }

  /// Gives up what waits for too long: by one alarm for all, since one for each took a tenth of the
  /// time of the writing. Work that is being written is waited for.
  private void watch() {
    if (!watched) {
      watched = true;
      Time.Alarm unused = Time.SYSTEM.alarm(Time.SYSTEM.nanos() + STEP.toNanos(), this::giveUpLate);
    }
  }

  private void giveUpLate() {
    lock.lock();
    try {
      long now = Time.SYSTEM.nanos();
      List<Job> late = waiting.stream().filter(job -> job.until - now <= 0).toList();
      waiting.removeAll(late);
      for (Job job : late) {
        job.late = true;
        job.changed.signal();
      }
      wakeFirst();
      watched = false;
      if (!waiting.isEmpty()) {
        watch();
      }
    } finally {
      lock.unlock();
    }
  }

  private void wakeFirst() {
    Job first = waiting.peekFirst();
    if (first != null && !writing) {
      first.changed.signal();
    }
  }

  private List<Job> others() {
    lock.lock();
    try {
      List<Job> others = new ArrayList<>();
      while (others.size() < MOST - 1 && !waiting.isEmpty() && !waiting.getFirst().alone) {
        others.add(waiting.removeFirst());
      }
      return others;
    } finally {
      lock.unlock();
    }
  }

  /// Whether everything was committed; if not, each work has to be done separately.
  private boolean isWritten(Job own, List<Job> others, Transaction transaction) {
    List<Sql.Work> works = new ArrayList<>(List.of(own.work));
    others.forEach(job -> works.add(job.work));
    boolean written = false;
    try {
      written = transaction.written(works);
    } catch (SQLException | RuntimeException e) {
      // Whose it is comes out where each is done for itself.
    } finally {
      settle(others, written);
    }
    return written;
  }

  private void settle(List<Job> others, boolean written) {
    lock.lock();
    try {
      for (Job job : others.reversed()) {
        job.alone = !written;
        job.kept = written;
        job.done = written;
        if (written) {
          job.changed.signal();
        } else {
          waiting.addFirst(job);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      writing = false;
      wakeFirst();
    } finally {
      lock.unlock();
    }
  }
}
