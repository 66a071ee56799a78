package dev.switchboard.execution;

import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One conversation, as the door knows it: who talks, which calls it has seen, where its events go,
/// whether it goes on.
///
/// Safe for use by several threads; its events come one after the other.
public final class ToolSession {
  private static final System.Logger LOG = System.getLogger(ToolSession.class.getName());

  private final @Nullable String caller;
  private final @Nullable String callee;
  private final @Nullable Consumer<Event> events;
  private final @Nullable CallLog log;
  private final ReentrantLock eventLock = new ReentrantLock();
  // Null for a call that stands alone, which nobody can cancel.
  private final @Nullable Set<RunningCall> running;
  private volatile @Nullable String conversationId;
  private volatile boolean cancelled;
  private volatile boolean exited;

  private ToolSession(Builder builder, @Nullable CallLog log) {
    conversationId = builder.conversationId;
    caller = builder.caller;
    callee = builder.callee;
    events = builder.events;
    this.log = log;
    running = log == null ? null : ConcurrentHashMap.newKeySet();
  }

  /// A conversation of that id, whose events nobody wants.
  public static ToolSession of(String conversationId) {
    return builder(conversationId).build();
  }

  /// A conversation of that id to set up.
  public static Builder builder(String conversationId) {
    return new Builder(conversationId);
  }

  /// For a call that stands alone: an id made up when somebody asks, and no log.
  static ToolSession alone() {
    return new ToolSession(new Builder(null), null);
  }

  /// The id of the conversation or phone call.
  public String conversationId() {
    String id = conversationId;
    if (id != null) {
      return id;
    }
    eventLock.lock();
    try {
      if (conversationId == null) {
        conversationId = LoneIds.next();
      }
      return conversationId;
    } finally {
      eventLock.unlock();
    }
  }

  /// The number of the one who calls, null off the phone.
  public @Nullable String caller() {
    return caller;
  }

  /// The number that was called, null off the phone.
  public @Nullable String callee() {
    return callee;
  }

  /// Ends the conversation: calls that may be cancelled are, the others run to their end, and no
  /// new one starts.
  public void cancel() {
    cancelled = true;
    if (running != null) {
      running.forEach(RunningCall::interruptIfAllowed);
    }
  }

  /// Whether the conversation was ended.
  public boolean cancelled() {
    return cancelled;
  }

  /// Begins a new turn: calls run again after a terminal result ended the last one.
  public void nextTurn() {
    exited = false;
  }

  /// Whether a terminal result has ended the turn.
  public boolean exited() {
    return exited;
  }

  Arrival arrive(ToolCall call, @Nullable RunningCall outer) {
    show(() -> new Event.ToolCalled(call, outer != null));
    // A nested call has an id of ours, which must not meet one of the model's.
    CallLog.Claim claim = log == null || outer != null ? CallLog.Claim.NONE : log.claim(call);
    return new Arrival(call, this, claim.own(), claim.earlier(), outer);
  }

  void log(CallLog.Entry entry, ToolResult result) {
    if (log != null) {
      log.settle(entry, result);
    }
  }

  void settled(ToolResult result, boolean ofModel) {
    if (ofModel && result.isTerminal()) {
      exited = true;
    }
    show(() -> new Event.ToolSettled(result));
  }

  void started(RunningCall call) {
    if (running == null) {
      return;
    }
    running.add(call);
    if (cancelled) {
      call.interruptIfAllowed();
    }
  }

  void ended(RunningCall call) {
    if (running != null) {
      running.remove(call);
    }
  }

  /// Shows an event, made when its turn has come, or null for nothing to show; what goes wrong
  /// while it is shown is the host's trouble, not the call's.
  void show(Supplier<? extends @Nullable Event> next) {
    if (events == null) {
      return;
    }
    eventLock.lock();
    try {
      Event event = next.get();
      if (event != null) {
        events.accept(event);
      }
    } catch (Throwable thrown) {
      // Also an Error: the call has its one result whatever the host makes of its events.
      LOG.log(Level.WARNING, "an event could not be shown: " + thrown.getClass().getName());
      LOG.log(Level.DEBUG, "an event could not be shown", thrown);
    } finally {
      eventLock.unlock();
    }
  }

  /// A conversation to set up.
  public static final class Builder {
    private final @Nullable String conversationId;
    private @Nullable String caller;
    private @Nullable String callee;
    private @Nullable Consumer<Event> events;

    private Builder(@Nullable String conversationId) {
      this.conversationId = conversationId;
    }

    /// The number of the one who calls.
    public Builder caller(String number) {
      caller = number;
      return this;
    }

    /// The number that was called.
    public Builder callee(String number) {
      callee = number;
      return this;
    }

    /// Where events go, one after the other, on the thread where they happen.
    public Builder events(Consumer<Event> sink) {
      events = sink;
      return this;
    }

    /// The conversation.
    public ToolSession build() {
      return new ToolSession(this, new CallLog());
    }
  }
}
