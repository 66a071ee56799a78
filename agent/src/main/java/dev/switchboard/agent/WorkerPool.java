package dev.switchboard.agent;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationQueue.Announcement;
import dev.switchboard.execution.ConversationQueue.Claim;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.text.RateLimitedLog;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Runs the turns of an agent's conversations that are due, in a store that it shares with other
/// processes: each conversation on its own thread, until its inputs are processed and its turn has
/// ended.
final class WorkerPool implements Agent.Worker {
  private static final System.Logger LOG = System.getLogger(WorkerPool.class.getName());
  private static final int AT_ONCE = 32;
  // A fallback for lost announcements.
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1); // for what is cancelled
  // A due conversation that cannot be claimed is being written, or claimed elsewhere.
  private static final Duration IN_USE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final Duration AFTER_FAULT = Duration.ofSeconds(1);
  private static final Duration DRAIN = Duration.ofSeconds(30);
  private static final int MOST_FAILURES_KNOWN = 10_000;

  private final Agent agent;
  private final ConversationStore store;
  private final Time time; // of the store, which says what is due
  private final RateLimitedLog warnings;
  private final ConversationQueue queue;
  private final Duration hold;
  private final int most;
  private final Semaphore free;
  private final Map<String, Running> running = new ConcurrentHashMap<>();
  private final Map<String, Integer> failures = new ConcurrentHashMap<>(); // one after the other
  private final ConversationQueue.Listening listening;
  private final Thread taking;
  private volatile Time.Signal wake = new Time.Signal(); // another for each wait of that thread
  private long lookedForCancelled; // of the taking thread
  private long quietUntil; // nothing is due, as it looked; of that thread too
  private volatile boolean dueAnnounced;
  private volatile boolean lookAgain;
  private volatile boolean stopping;

  /// @param store of the agent
  /// @param queue of the store
  WorkerPool(
      Agent agent, ConversationStore store, ConversationQueue queue, Duration hold, int most) {
    this.agent = agent;
    this.store = store;
    this.queue = queue;
    this.hold = hold;
    this.most = most;
    time = store.time();
    warnings = new RateLimitedLog(time::nanos);
    lookedForCancelled = time.nanos();
    quietUntil = time.nanos();
    free = new Semaphore(most);
    listening = queue.listen(this::handle);
    taking = Thread.ofPlatform().daemon().name("worker-" + agent.name()).start(this::claimDue);
  }

  private void handle(Announcement what) {
    switch (what.topic()) {
      case DUE -> {
        dueAnnounced = true;
        wake.give();
      }
      case CANCEL -> cancel(what.conversation());
      case EVENTS, ASKED, RESTED -> {}
    }
  }

  private void cancel(String id) {
    Running work = running.get(id);
    if (work != null) {
      work.cancel();
    }
  }

  /// A conversation, from its claim on.
  private static final class Running {
    private volatile boolean cancelled;
    private volatile @Nullable Conversation open;

    Running(Claim claim) {
      cancelled = claim.cancelled();
    }

    void handOver() {
      Conversation conversation = open;
      if (conversation != null) {
        conversation.handOver();
      }
    }

    void cancel() {
      cancelled = true;
      Conversation conversation = open;
      if (conversation != null) {
        conversation.cancel();
      }
    }
  }

  private void claimDue() {
    while (true) {
      wake = new Time.Signal();
      if (stopping) { // only now, since who stops it gives the signal that is there then
        return;
      }
      try {
        cancelRunning();
        int wanted = Math.min(AT_ONCE, free.availablePermits());
        if (wanted == 0 || !isDue() || claim(wanted) < wanted) {
          await(wanted == 0 ? most() : pause());
        }
      } catch (RuntimeException | Error e) {
        warnings.warn(LOG, "due conversations cannot be claimed", e);
        await(AFTER_FAULT);
      }
    }
  }

  /// Whether a conversation is due, by an announcement or by its stored time.
  private boolean isDue() {
    if (dueAnnounced) {
      dueAnnounced = false;
      return true;
    }
    if (!lookAgain && quietUntil - time.nanos() > 0) {
      return false;
    }
    lookAgain = false;
    Duration left = queue.untilDue();
    Duration quiet = left == null || left.compareTo(LOOK) > 0 ? LOOK : left;
    quietUntil = time.nanos() + quiet.toNanos();
    return quiet.isZero();
  }

  /// Polls for requested cancels, since announcements may be lost.
  private void cancelRunning() {
    long now = time.nanos();
    if (now - lookedForCancelled >= BETWEEN_LOOKS.toNanos() && !running.isEmpty()) {
      lookedForCancelled = now;
      queue.cancelled(running.keySet()).forEach(this::cancel);
    }
  }

  private int claim(int wanted) {
    int claimed = 0;
    for (Claim claim : queue.claim(hold, wanted, Transcript.MOST_LINES)) {
      free.acquireUninterruptibly();
      String id = claim.conversation();
      Running work = new Running(claim);
      running.put(id, work);
      Thread unused = Thread.ofVirtual().name("turn-" + id).start(() -> workOn(claim, work));
      claimed++;
    }
    // A conversation that was in use may still be due, and there may be more.
    quietUntil = time.nanos() + (claimed < wanted ? IN_USE.toNanos() : 0);
    return claimed;
  }

  /// How long to wait without an announcement.
  private Duration pause() {
    Duration quiet = Duration.ofNanos(quietUntil - time.nanos());
    Duration most = most();
    return quiet.compareTo(most) < 0 ? quiet : most;
  }

  private Duration most() {
    return running.isEmpty() ? LOOK : hold.dividedBy(3);
  }

  private void await(Duration most) {
    time.await(wake, time.nanos() + most.toNanos());
  }

  private void workOn(Claim claim, Running work) {
    String id = claim.conversation();
    boolean isQuiet = false;
    try {
      ClaimedStore kept = new ClaimedStore(claim, store, queue);
      try (Conversation conversation = agent.conversation(id, options(claim).withStore(kept))) {
        work.open = conversation;
        conversation.claimed(
            new ClaimedWork(
                id,
                kept.inputs(),
                queue,
                () -> work.cancelled,
                () -> stopping,
                () -> pauseAfter(id)));
        failures.remove(id);
        isQuiet = kept.due() == null;
      }
    } catch (StoppableEffects.StoppedException e) {
      LOG.log(Level.DEBUG, "another process continues a turn");
    } catch (ConversationConflictException e) {
      LOG.log(Level.DEBUG, "another process holds the conversation", e);
    } catch (RuntimeException | Error e) {
      String what = "a turn was interrupted";
      warnings.warn(LOG, what, ExceptionLog.in(agent.name(), id, what), e);
    } finally {
      boolean unused = running.remove(id, work);
      done(isQuiet);
    }
  }

  /// @param isQuiet whether only an announcement makes the conversation due
  private void done(boolean isQuiet) {
    boolean isFull = free.availablePermits() == 0;
    free.release();
    if (isFull || !isQuiet) {
      lookAgain = true;
      wake.give();
    }
  }

  private ConversationOptions options(Claim claim) {
    return ConversationOptions.NONE
        .withPrincipal(claim.principal())
        .withHold(new LeaseTerms(null, hold, claim.fence(), claim.left()))
        .withLog(WorkerPool::noOne)
        .withEffects(effects -> new StoppableEffects(effects, () -> stopping));
  }

  /// Ignores the events of a turn, which others read from the store.
  private static void noOne(Event.Logged event) {}

  /// How long a conversation whose turn failed is skipped: longer each time.
  private Duration pauseAfter(String id) {
    if (failures.size() >= MOST_FAILURES_KNOWN) {
      failures.clear();
    }
    int times = failures.merge(id, 1, Integer::sum);
    Duration pause = Duration.ofSeconds(1L << Math.min(times - 1, 10));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  @Override
  public int running() {
    return running.size();
  }

  @Override
  public void close() {
    stopping = true;
    listening.close();
    wake.give();
    try {
      taking.join();
      if (free.tryAcquire(most, DRAIN.toNanos(), TimeUnit.NANOSECONDS)) {
        free.release(most);
      }
      running.values().forEach(Running::handOver);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
