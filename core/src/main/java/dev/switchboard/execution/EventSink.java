package dev.switchboard.execution;

import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Where a conversation's events go, one after the other: to its log, where it has one, and to the
/// host; what goes wrong there is the host's trouble, not the call's.
public final class EventSink {
  private static final System.Logger LOG = Broken.BESIDE;

  static final EventSink NONE = new EventSink(null, null);

  private final ReentrantLock lock = new ReentrantLock();
  private final @Nullable Consumer<Event> events;
  private final @Nullable EventLog log;

  EventSink(@Nullable Consumer<Event> events, @Nullable EventLog log) {
    this.events = events;
    this.log = log;
  }

  /// Whether somebody is shown events, or stores them.
  boolean isHeard() {
    return events != null || log != null;
  }

  /// Whether events are stored.
  public boolean isLogged() {
    return log != null;
  }

  /// Whether the log shows an event on this thread.
  public boolean isShownHere() {
    return log != null && log.isWriter();
  }

  /// Names the turn that the events to come are of, by its input.
  public void run(String input) {
    if (log != null) {
      log.run(input);
    }
  }

  /// Tells a client's name for what follows from that input, once for that name.
  public void name(String run, String input) {
    Json named = Json.of(Codec.object().put("id", run).put("input", input));
    tell("run/" + run, new Event.AgentEvent("run", named));
  }

  /// Waits until all that was told is stored and shown, or given up; what the store has thrown
  /// where some was given up since this was asked for last, null where none was.
  public @Nullable RuntimeException flush() {
    return log == null ? null : log.flush();
  }

  /// Waits until all that was told is stored but for what goes with the next that is written of the
  /// conversation; what the store has thrown, as [#flush()] says.
  public @Nullable RuntimeException gather() {
    return log == null ? null : log.gather();
  }

  /// Declares the words of that reply void that a process has told which is gone; it is asked for
  /// again.
  public void restart(String key) {
    if (log != null) {
      log.restart(key);
    }
  }

  /// Tells what is missing of the words of a reply that a process has stored which is gone.
  public void complete(String key, String text) {
    if (log != null) {
      log.complete(key, text);
    }
  }

  /// The events of the log after that number, at most so many, in their order.
  public List<Event.Logged> after(long number, int most) {
    return log == null ? List.of() : log.events(number, most);
  }

  /// Tells the log alone, which tells the same call, result, request or answer once.
  void tell(Supplier<Event> event) {
    if (log != null) {
      log.tell(event.get());
    }
  }

  /// Tells the log alone, once for that key.
  public void tell(String key, Event event) {
    if (log != null) {
      log.tell(key, event);
    }
  }

  /// Shows an event, made when its turn has come, or null for nothing to show; false where the host
  /// failed to.
  boolean show(Supplier<? extends @Nullable Event> next) {
    return show(next, (event, told) -> told.tell(event));
  }

  /// Shows an event that the log tells under that key, so once.
  public void show(String key, Event event) {
    boolean unused = show(() -> event, (same, told) -> told.tell(key, same));
  }

  /// Shows words of the reply of that key, as they come.
  public void words(String key, String text) {
    boolean unused = show(() -> new Event.Content(text), (event, told) -> told.words(key, text));
  }

  private boolean show(
      Supplier<? extends @Nullable Event> next, BiConsumer<Event, EventLog> telling) {
    if (!isHeard()) {
      return true;
    }
    lock.lock();
    try {
      Event event = next.get();
      if (event != null && log != null) {
        telling.accept(event, log);
      }
      if (event != null && events != null) {
        events.accept(event);
      }
      return true;
    } catch (Throwable thrown) {
      // Also an Error: the call has its one result whatever the host makes of its events.
      LOG.log(Level.WARNING, "an event could not be shown: " + thrown.getClass().getName());
      LOG.log(Level.DEBUG, "an event could not be shown", thrown);
      return false;
    } finally {
      lock.unlock();
    }
  }

  /// Shows a message to the user, who is the only one that a conversation can write to.
  Delivery deliver(Letter letter) {
    if (!letter.target().type().equals("user")) {
      return Delivery.failed("no router is set up here: it can be for the user alone");
    }
    if (!isHeard()) {
      return Delivery.failed("no one listens to this conversation");
    }
    return show(letter) ? Delivery.DONE : Delivery.failed("it could not be shown");
  }

  /// Shows a message to the user, which the log tells once; false where that failed.
  public boolean show(Letter letter) {
    Event words = new Event.Content(letter.content());
    String key = "message/" + letter.id();
    // It counts as delivered, and its call is not made again, once the log has it.
    return show(() -> words, (event, told) -> told.tell(key, event)) && flush() == null;
  }
}
