package dev.switchboard.execution;

import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.tool.Event;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Emits a conversation's events, one after the other, to its log and its host, as far as it has
/// them. A failure of either does not affect the call.
///
/// Thread-safe.
public final class EventSink {
  static final EventSink NONE = new EventSink(null, null);

  private static final String LOGGER = "dev.switchboard.execution.ToolSession";

  private final ReentrantLock lock = new ReentrantLock();
  private final @Nullable Consumer<Event> events;
  private final @Nullable EventLog log;

  EventSink(@Nullable Consumer<Event> events, @Nullable EventLog log) {
    this.events = events;
    this.log = log;
  }

  /// Whether events are shown or stored.
  boolean hasReceiver() {
    return events != null || log != null;
  }

  /// Whether events are stored.
  public boolean isLogged() {
    return log != null;
  }

  /// Whether this thread is writing or showing events of the log; it must not wait for them.
  public boolean isShownHere() {
    return log != null && log.isPerforming();
  }

  /// Sets the id of the input to which the following events belong.
  public void run(String input) {
    if (log != null) {
      log.run(input);
    }
  }

  /// Logs a client's name for the events that follow from that input, once per name.
  public void name(String run, String input) {
    append("run/" + run, named(run, input));
  }

  /// The event that logs a client's name for the events that follow from that input.
  public static Event named(String run, String input) {
    return new Event.AgentEvent("run", Json.of(Codec.object().put("id", run).put("input", input)));
  }

  /// Waits until all events are stored and shown, or dropped; returns the store's exception if
  /// events were dropped since the last call, otherwise null.
  public @Nullable RuntimeException flush() {
    return log == null ? null : log.flush();
  }

  /// Waits until no more events are unstored than can join the next write; returns as [#flush()].
  public @Nullable RuntimeException gather() {
    return log == null ? null : log.gather();
  }

  /// Voids the text of a reply that a dead process logged, before the reply is requested again.
  public void restart(String key) {
    if (log != null) {
      new LoggedReply(key, log).restart();
    }
  }

  /// Logs the text of a stored reply that its dead process did not log.
  public void complete(String key, String text) {
    if (log != null) {
      new LoggedReply(key, log).complete(text);
    }
  }

  /// The events of the log after that number, in order, at most `most`.
  public List<Event.Logged> after(long number, int most) {
    return log == null ? List.of() : log.events(number, most);
  }

  /// The number of the logged event of that key, 0 if there is none.
  long numberOf(String key) {
    return log == null ? 0 : log.numberOf(key);
  }

  /// Logs an event without showing it; each call, result, request and answer is logged once.
  void append(Supplier<Event> event) {
    if (log != null) {
      log.append(event.get());
    }
  }

  /// Logs an event without showing it, once per key.
  public void append(String key, Event event) {
    if (log != null) {
      log.append(key, event);
    }
  }

  /// Logs and shows the event that the supplier returns once all earlier ones are shown; none if it
  /// is null. False if the log or the host failed.
  boolean show(Supplier<? extends @Nullable Event> next) {
    return show(next, (event, log) -> log.append(event));
  }

  /// Logs and shows an event; logs it once per key.
  public void show(String key, Event event) {
    boolean unused = show(() -> event, (same, log) -> log.append(key, same));
  }

  /// Logs and shows a piece of the text of the reply of that key, as it arrives.
  public void showText(String key, String text) {
    boolean unused = show(() -> new Event.Content(text), (event, log) -> log.appendText(key, text));
  }

  private boolean show(
      Supplier<? extends @Nullable Event> next, BiConsumer<Event, EventLog> append) {
    if (!hasReceiver()) {
      return true;
    }
    lock.lock();
    try {
      Event event = next.get();
      if (event != null && log != null) {
        append.accept(event, log);
      }
      if (event != null && events != null) {
        events.accept(event);
      }
      return true;
    } catch (Throwable thrown) {
      // Also an Error: the call has its result whatever the host does.
      ExceptionLog.warn(System.getLogger(LOGGER), "an event could not be shown", thrown);
      return false;
    } finally {
      lock.unlock();
    }
  }

  /// Checks that a message is not to another user than that of the conversation.
  ///
  /// @param user the user's id, null if it is unknown
  /// @throws ToolException if it is; the call has then invalid arguments
  public static void requireUser(Target target, @Nullable String user) {
    if (target.type().equals("user") && !target.id().isEmpty() && !target.id().equals(user)) {
      throw ToolException.invalid(
          "/target/id", "Only the user of this conversation can be reached: leave out the id.");
    }
  }

  /// Shows a message to the user, the only receiver without a router; failed if it is to another.
  ///
  /// @param user the user's id, null if it is unknown
  /// @throws ToolException if it is to another user
  Delivery deliver(Letter letter, @Nullable String user) {
    Target target = letter.target();
    if (!target.type().equals("user")) {
      return Delivery.failed("without a router a message can only go to the user");
    }
    requireUser(target, user);
    if (!hasReceiver()) {
      return Delivery.failed("no one listens to this conversation");
    }
    return show(letter) ? Delivery.DONE : Delivery.failed("it could not be shown");
  }

  /// Shows a message to the user and logs it once; false if either failed.
  public boolean show(Letter letter) {
    Event message = new Event.Content(letter.content());
    String key = "message/" + letter.id();
    // Once the log has it, it counts as delivered and is not repeated.
    return show(() -> message, (event, log) -> log.append(key, event)) && flush() == null;
  }
}
