package dev.switchboard.execution;

import dev.switchboard.execution.host.HostEvents;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.handler.ToolException;
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
final class EventSink implements HostEvents {
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

  @Override
  public boolean isLogged() {
    return log != null;
  }

  @Override
  public boolean isShownHere() {
    return log != null && log.isPerforming();
  }

  @Override
  public void run(String input) {
    if (log != null) {
      log.run(input);
    }
  }

  @Override
  public void name(String run, String input) {
    append("run/" + run, HostEvents.named(run, input));
  }

  @Override
  public @Nullable RuntimeException flush() {
    return log == null ? null : log.flush();
  }

  @Override
  public @Nullable RuntimeException gather() {
    return log == null ? null : log.gather();
  }

  @Override
  public void restart(String key) {
    if (log != null) {
      new LoggedReply(key, log).restart();
    }
  }

  @Override
  public void complete(String key, String text) {
    if (log != null) {
      new LoggedReply(key, log).complete(text);
    }
  }

  @Override
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

  @Override
  public void append(String key, Event event) {
    if (log != null) {
      log.append(key, event);
    }
  }

  @Override
  public void show(Event event) {
    boolean unused = show(() -> event);
  }

  /// Logs and shows the event that the supplier returns once all earlier ones are shown; none if it
  /// is null. False if the log or the host failed.
  boolean show(Supplier<? extends @Nullable Event> next) {
    return show(next, (event, log) -> log.append(event));
  }

  @Override
  public void show(String key, Event event) {
    boolean unused = show(() -> event, (same, log) -> log.append(key, same));
  }

  @Override
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

  /// Shows a message to the user, the only receiver without a router; failed if it is to another.
  ///
  /// @param user the user's id, null if it is unknown
  /// @throws ToolException if it is to another user
  Delivery deliver(Letter letter, @Nullable String user) {
    Target target = letter.target();
    if (!target.type().equals("user")) {
      return Delivery.failed("without a router a message can only go to the user");
    }
    HostEvents.requireUser(target, user);
    if (!hasReceiver()) {
      return Delivery.failed("no one listens to this conversation");
    }
    return show(letter) ? Delivery.DONE : Delivery.failed("it could not be shown");
  }

  @Override
  public boolean show(Letter letter) {
    Event message = new Event.Content(letter.content());
    String key = "message/" + letter.id();
    // Once the log has it, it counts as delivered and is not repeated.
    return show(() -> message, (event, log) -> log.append(key, event)) && flush() == null;
  }
}
