package dev.switchboard.agent;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.Places;
import dev.switchboard.text.DerivedId;
import dev.switchboard.text.Durations;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A queue of messages to an agent of this process, which reads one after the other; routers
/// deliver to it.
///
/// A message counts as delivered once it is in the queue. The agent reads it in a conversation that
/// it has with each sender for each principal, [#conversation]. While that conversation waits for a
/// person, or another process holds it, its messages stay queued in order, and others are read. The
/// messages of one principal fill at most half of the queue, as do those of the users of a token
/// together; those of `local` all of it. Thread-safe.
public final class Inbox implements MessageRouter, AutoCloseable {
  /// The default number of messages that may wait.
  public static final int CAPACITY = Bound.LETTERS.all();

  /// How long messages are skipped when their conversation could not continue.
  static final Duration PAUSE = Duration.ofSeconds(1);

  // How long a message that is cut off may take to end.
  private static final Duration STOPPING = Duration.ofSeconds(10);

  private static final System.Logger LOG = System.getLogger(Inbox.class.getName());
  private static final int MOST_IDS = 10_000;

  private final Agent agent;
  private final Places places;
  private final BiConsumer<Letter, Turn> onTurn;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Waiting> letters = new ArrayDeque<>(); // guarded by lock
  private final SequencedSet<String> taken = new LinkedHashSet<>(); // ids, guarded by lock
  private final Set<Talk> held = new HashSet<>(); // guarded by lock
  private final List<Time.Signal> closing = new ArrayList<>(); // guarded by lock
  private @Nullable Thread reader; // guarded by lock
  private @Nullable LetterReading reading; // guarded by lock
  private boolean closed; // guarded by lock
  private boolean stopped; // guarded by lock

  /// The conversation with a sender for a principal.
  private record Talk(String sender, String principal) {
    static Talk of(Letter letter) {
      return new Talk(letter.from(), letter.principal());
    }
  }

  /// A message in the queue, and its place.
  private record Waiting(Letter letter, Places.Place place) {
    boolean isOf(String principal) {
      return letter.principal().equals(principal);
    }
  }

  private Inbox(Agent agent, int capacity, BiConsumer<Letter, Turn> onTurn) {
    if (capacity < 1) {
      throw new IllegalArgumentException("an inbox has room for at least 1, not " + capacity);
    }
    this.agent = agent;
    places = new Places(Bound.LETTERS, capacity);
    this.onTurn = onTurn;
  }

  /// The inbox of that agent, with room for [#CAPACITY] messages.
  public static Inbox of(Agent agent) {
    return of(agent, CAPACITY, (letter, turn) -> {});
  }

  /// The inbox of that agent.
  ///
  /// @param capacity how many messages may wait, at least 1
  /// @param onTurn receives the outcome of the turn that a message began, such as [Turn.Pending],
  ///   on the thread that reads, so nothing is read meanwhile
  public static Inbox of(Agent agent, int capacity, BiConsumer<Letter, Turn> onTurn) {
    Inbox inbox = new Inbox(agent, capacity, onTurn);
    agent.hasMessages(inbox);
    return inbox;
  }

  /// The inbox of an agent whose turns run in whichever process claims them: a message is an input
  /// that waits in the store.
  ///
  /// @param store of that agent, which processes share
  /// @throws IllegalArgumentException when processes do not share it
  public static MessageRouter shared(String agent, ConversationStore store) {
    return new SharedInbox(agent, store);
  }

  /// Queues the message without waiting; not delivered if the queue is full, also of messages of
  /// that principal, or closed. A message id is read once.
  @Override
  public Delivery send(Letter letter) {
    lock.lock();
    try {
      if (closed) {
        return Delivery.failed("agent '%s' accepts no more messages".formatted(agent.name()));
      }
      if (taken.contains(letter.id())) {
        return Delivery.DONE;
      }
      Places.Full full = places.full(letter.principal());
      if (full != null) {
        return Delivery.failed(refusal(full, letter.principal()));
      }
      remember(letter.id());
      letters.addLast(new Waiting(letter, places.enter(letter.principal())));
      readOn();
      return Delivery.DONE;
    } finally {
      lock.unlock();
    }
  }

  private String refusal(Places.Full full, String principal) {
    return switch (full) {
      case PRINCIPAL ->
          "the inbox of agent '%s' has %d messages of this user to read, its limit; try again later"
              .formatted(agent.name(), places.of(principal));
      case TOKEN ->
          "the inbox of agent '%s' has %d messages of the users of this token to read, their limit;"
                  .formatted(agent.name(), places.of(Places.holder(principal)))
              + " try again later";
      case ALL ->
          "the inbox of agent '%s' is full, with %d messages to read"
              .formatted(agent.name(), places.size());
    };
  }

  private void remember(String id) {
    taken.add(id);
    if (taken.size() > MOST_IDS) {
      taken.removeFirst();
    }
  }

  private void readOn() {
    if (reader == null && !stopped) {
      reader = Thread.ofVirtual().name("inbox of " + agent.name()).start(this::readAll);
    }
  }

  private void readAll() {
    for (LetterReading next = next(); next != null; next = next()) {
      try {
        read(next);
      } finally {
        next.end();
      }
    }
  }

  /// The first message that can be read now; null, which ends the thread, if there is none.
  private @Nullable LetterReading next() {
    lock.lock();
    try {
      for (Iterator<Waiting> all = letters.iterator(); !stopped && all.hasNext(); ) {
        Waiting waiting = all.next();
        if (!held.contains(Talk.of(waiting.letter))) {
          all.remove();
          waiting.place.close();
          reading = new LetterReading(waiting.letter);
          return reading;
        }
      }
      reading = null;
      reader = null;
      closing.forEach(Time.Signal::give);
      return null;
    } finally {
      lock.unlock();
    }
  }

  private void read(LetterReading reading) {
    Letter letter = reading.letter();
    try {
      Conversation conversation = conversation(letter.from(), letter.principal());
      Turn turn = reading.turn(conversation, LetterText.input(letter, text(letter)));
      if (turn != null && conversation.state().inputs().contains(letter.id())) {
        notifyListener(letter, turn);
      } else {
        hold(reading);
      }
    } catch (ConversationConflictException e) {
      hold(reading);
    } catch (Throwable thrown) {
      // Also for an Error: the thread reads others' messages too.
      warn("was not read", thrown);
      release(letter);
    }
  }

  private String text(Letter letter) {
    return LetterText.of(letter, agent.executor().tools().find("send_message") != null);
  }

  /// The conversation in which the agent reads that sender's messages from conversations of that
  /// principal, `local` by default.
  public Conversation conversation(String sender, String principal) {
    String id = DerivedId.of(DerivedId.AGENT, agent.name(), principal, sender);
    return agent.conversation(
        id, ConversationOptions.NONE.withPrincipal(principal).withLog(event -> {}).withDerivedId());
  }

  private void notifyListener(Letter letter, Turn turn) {
    try {
      onTurn.accept(letter, turn);
    } catch (Throwable thrown) {
      // A failure of the host, not of the message.
      warn("was read, but its listener threw", thrown);
    }
  }

  private void warn(String what, Throwable thrown) {
    String which = "a message to agent '%s' %s".formatted(agent.name(), what);
    ExceptionLog.warn(LOG, which, thrown);
  }

  /// Forgets the id of a message, so that it may be sent again.
  private void release(Letter letter) {
    lock.lock();
    try {
      taken.remove(letter.id());
    } finally {
      lock.unlock();
    }
  }

  /// Skips the messages of that conversation for a while; one that was cut off is dropped.
  private void hold(LetterReading reading) {
    Letter letter = reading.letter();
    lock.lock();
    try {
      if (reading.isCut()) {
        return;
      }
      letters.addFirst(new Waiting(letter, places.enter(letter.principal())));
      held.add(Talk.of(letter));
    } finally {
      lock.unlock();
    }
    Time time = agent.time();
    var unused = time.alarm(time.nanos() + PAUSE.toNanos(), () -> release(Talk.of(letter)));
  }

  /// Drops the messages of that principal that wait, cuts off the one that is read, and releases
  /// the conversations in which they were read.
  @Override
  public void forget(String principal) {
    LetterReading cut;
    lock.lock();
    try {
      letters.stream()
          .filter(waiting -> waiting.isOf(principal))
          .forEach(waiting -> waiting.place.close());
      letters.removeIf(waiting -> waiting.isOf(principal));
      held.removeIf(talk -> talk.principal.equals(principal));
      cut = reading != null && reading.letter().principal().equals(principal) ? reading : null;
      if (cut != null) {
        cut.mark();
      }
    } finally {
      lock.unlock();
    }
    if (cut != null) {
      cut.cutOff();
      cut.awaitEnd(agent.time(), STOPPING.toNanos());
    }
    agent.forgetTalks(principal);
  }

  private void release(Talk talk) {
    lock.lock();
    try {
      held.remove(talk);
      readOn();
    } finally {
      lock.unlock();
    }
  }

  /// The accepted messages that were not read so far, in order.
  public List<Letter> left() {
    lock.lock();
    try {
      return letters.stream().map(Waiting::letter).toList();
    } finally {
      lock.unlock();
    }
  }

  /// Accepts no more messages, and returns when those in the queue are read. Messages whose
  /// conversation waits are [#left()]; so is the rest if this thread is interrupted, or is the one
  /// that reads.
  @Override
  public void close() {
    Time.Signal atRest = new Time.Signal();
    lock.lock();
    try {
      closed = true;
      if (reader == null || reader.equals(Thread.currentThread())) {
        atRest.give();
      } else {
        closing.add(atRest);
      }
    } finally {
      lock.unlock();
    }
    Time time = agent.time();
    time.await(atRest, time.nanos() + Durations.LONGEST.toNanos());
    stop();
  }

  private void stop() {
    int count;
    lock.lock();
    try {
      stopped = true;
      count = letters.size();
    } finally {
      lock.unlock();
    }
    if (count > 0) {
      LOG.log(Level.WARNING, "%d messages to agent '%s' are unread".formatted(count, agent.name()));
    }
  }
}
