package dev.switchboard.execution;

import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The receiver of a conversation's events, one after the other: its log, if it has one, and the
/// host. A failure there does not affect the call.
public final class EventSink {
  static final EventSink NONE = new EventSink(null, null);

  private final ReentrantLock lock = new ReentrantLock();
  private final @Nullable Consumer<Event> events;
  private final @Nullable EventLog log;

  EventSink(@Nullable Consumer<Event> events, @Nullable EventLog log) {
    this.events = events;
    this.log = log;
  }

  /// Whether events are shown or stored.
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

  /// Sets the input of the turn of the following events.
  public void run(String input) {
    if (log != null) {
      log.run(input);
    }
  }

  /// Logs a client's name for what follows from that input, once per name.
  public void name(String run, String input) {
    tell("run/" + run, named(run, input));
  }

  /// The event of a client's name for what follows from that input.
  public static Event named(String run, String input) {
    return new Event.AgentEvent("run", Json.of(Codec.object().put("id", run).put("input", input)));
  }

  /// Waits until all events are stored and shown, or given up; returns the store's exception if
  /// some were given up since the last call, otherwise null.
  public @Nullable RuntimeException flush() {
    return log == null ? null : log.flush();
  }

  /// Waits until all events are stored except those that go with the next write; returns as
  /// [#flush()].
  public @Nullable RuntimeException gather() {
    return log == null ? null : log.gather();
  }

  /// Declares void the text of a reply that a dead process logged; the reply is requested again.
  public void restart(String key) {
    if (log != null) {
      log.restart(key);
    }
  }

  /// Logs the missing text of a reply that a dead process stored.
  public void complete(String key, String text) {
    if (log != null) {
      log.complete(key, text);
    }
  }

  /// The events of the log after that number, at most so many, in order.
  public List<Event.Logged> after(long number, int most) {
    return log == null ? List.of() : log.events(number, most);
  }

  /// The number of the logged event of that key; 0 if there is none.
  long numberOf(String key) {
    return log == null ? 0 : log.numberOf(key);
  }

  /// Logs an event without showing it; the same call, result, request or answer is logged once.
  void tell(Supplier<Event> event) {
    if (log != null) {
      log.tell(event.get());
    }
  }

  /// Logs an event without showing it, once for that key.
  public void tell(String key, Event event) {
    if (log != null) {
      log.tell(key, event);
    }
  }

  /// Shows an event, made when its turn comes, or null for none; false if the host failed.
  boolean show(Supplier<? extends @Nullable Event> next) {
    return show(next, (event, told) -> told.tell(event));
  }

  /// Shows an event, logged once for that key.
  public void show(String key, Event event) {
    boolean unused = show(() -> event, (same, told) -> told.tell(key, same));
  }

  /// Shows text of the reply of that key, as it arrives.
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
      // Also an Error: the call has its result whatever the host does.
      Broken.warn("an event could not be shown", thrown);
      return false;
    } finally {
      lock.unlock();
    }
  }

  /// Refuses a message to another user than that of the conversation.
  ///
  /// @param user the user's id, null if it is unknown
  /// @throws ToolException that refuses the argument
  public static void requireUser(Target target, @Nullable String user) {
    if (target.type().equals("user") && !target.id().isEmpty() && !target.id().equals(user)) {
      throw ToolException.invalid(
          "/target/id", "Only the user of this conversation can be reached: leave out the id.");
    }
  }

  /// Shows a message to the user, the only possible receiver here.
  ///
  /// @param user the user's id, null if it is unknown
  /// @throws ToolException when the letter is to another user
  Delivery deliver(Letter letter, @Nullable String user) {
    Target target = letter.target();
    if (!target.type().equals("user")) {
      return Delivery.failed("without a router a message can only go to the user");
    }
    requireUser(target, user);
    if (!isHeard()) {
      return Delivery.failed("no one listens to this conversation");
    }
    return show(letter) ? Delivery.DONE : Delivery.failed("it could not be shown");
  }

  /// Shows a message to the user, logged once; false if that failed.
  public boolean show(Letter letter) {
    Event words = new Event.Content(letter.content());
    String key = "message/" + letter.id();
    // Delivered, and not repeated, once the log has it.
    return show(() -> words, (event, told) -> told.tell(key, event)) && flush() == null;
  }
}
