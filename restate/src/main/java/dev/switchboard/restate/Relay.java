package dev.switchboard.restate;

import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationQueue.Announcement;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.ConversationStore.Loaded;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;
import dev.switchboard.text.RateLimitedLog;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Forwards inputs and answers from a shared storage to the engine. The storage assigns each
/// conversation to one of the workers. If that worker dies, or cannot reach the engine, another one
/// does it a moment later, and the engine ignores what it already has.
final class Relay implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Relay.class.getName());
  static final Duration AGAIN = Duration.ofSeconds(5); // in addition to announcements
  private static final Duration AFTER_FAULT = Duration.ofSeconds(1);
  private static final int AT_ONCE = 32;

  private final RateLimitedLog warnings;
  private final ConversationStore storage;
  private final ConversationQueue queue;
  private final RestateQueue engine;
  private final RunningTurns turns;
  private final Duration again;
  private final Semaphore wake = new Semaphore(0);
  private final ConversationQueue.Listening listening;
  private final Thread relaying;
  private volatile boolean closing;

  /// @param queue of the storage
  /// @param turns the running turns of this process, which a requested cancellation reaches
  /// @param again after what time an input is forwarded again that still waits
  Relay(
      ConversationStore storage,
      ConversationQueue queue,
      RestateQueue engine,
      RunningTurns turns,
      Duration again) {
    this.storage = storage;
    this.queue = queue;
    this.engine = engine;
    this.turns = turns;
    this.again = again;
    warnings = new RateLimitedLog(storage.time()::nanos);
    turns.onEnd(wake::release);
    listening = queue.listen(this::handle);
    relaying = Thread.ofVirtual().name("relay-" + engine.agent()).start(this::relay);
  }

  private void handle(Announcement what) {
    switch (what.topic()) {
      case DUE -> wake.release();
      case CANCEL -> cancel(what.conversation());
      case EVENTS, ASKED, RESTED -> {}
    }
  }

  private void cancel(String conversation) {
    turns.cancel(engine.agent(), conversation);
  }

  private void relay() {
    while (!closing) {
      try {
        wake.drainPermits();
        if (handedOn() < AT_ONCE) {
          Set<String> running = turns.conversations(engine.agent());
          if (!running.isEmpty()) {
            queue.cancelled(running).forEach(this::cancel);
          }
          Duration next = queue.untilDue();
          await(next == null || next.compareTo(again) > 0 ? again : next);
        }
      } catch (RuntimeException e) {
        warnings.warn(LOG, "waiting inputs cannot be forwarded to the engine", e);
        await(AFTER_FAULT);
      }
    }
  }

  private void await(Duration most) {
    try {
      boolean unused = wake.tryAcquire(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // It is closing.
    }
  }

  /// The number of conversations with something to forward.
  private int handedOn() {
    List<String> due = queue.postpone(again, AT_ONCE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      due.forEach(conversation -> threads.execute(() -> handOn(conversation)));
    }
    return due.size();
  }

  /// Forwards the next input, or a message that the conversation can continue. The next input
  /// follows when the turn has ended. The engine accepts this once per state of the conversation,
  /// which every attempt changes.
  private void handOn(String conversation) {
    try {
      Loaded loaded = storage.load(conversation);
      String owner = loaded.principal();
      if (owner == null) {
        return; // it was deleted meanwhile
      }
      long version = loaded.state().number();
      List<Line> inputs = queue.inputs(conversation);
      Input input =
          inputs.isEmpty()
              ? new Input.Resumed("resume/" + version)
              : InputJson.read(inputs.getFirst().entry());
      RestateQueue owned = new RestateQueue(engine.engine(), engine.agent(), owner);
      boolean unused = owned.submit(conversation, input, input.id() + "@" + version);
    } catch (RuntimeException e) {
      warnings.warn(LOG, "an input will be forwarded to the engine later", e);
    }
  }

  @Override
  public void close() {
    closing = true;
    listening.close();
    wake.release();
    try {
      relaying.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
