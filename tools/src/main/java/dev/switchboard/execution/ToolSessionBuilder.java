package dev.switchboard.execution;

import dev.switchboard.consent.Approver;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.handler.Tool;
import dev.switchboard.text.DerivedId;
import dev.switchboard.text.PrincipalName;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Builds a [ToolSession].
public final class ToolSessionBuilder {
  final String conversationId;
  private String principal = PrincipalName.LOCAL;
  private boolean derived;
  private @Nullable String caller;
  private @Nullable String callee;
  private Map<String, String> attributes = Map.of();
  private final Map<String, Tool> tools = new LinkedHashMap<>(0);
  @Nullable Consumer<Event> events;
  @Nullable Consumer<Event.Logged> logged;
  @Nullable ConversationStore store;
  String mark = "";
  LeaseTerms hold = LeaseTerms.USUAL;
  private @Nullable Approver approver;
  Time time = Time.SYSTEM;

  ToolSessionBuilder(String conversationId) {
    this.conversationId = conversationId;
  }

  /// Sets the owner of the conversation; by default `local`, the user of this machine.
  ///
  /// @throws IllegalArgumentException if the name is empty, longer than 200 characters, or has
  ///   control characters
  public ToolSessionBuilder principal(String name) {
    principal = PrincipalName.checked(name);
    return this;
  }

  /// Accepts an id that the host derives, see [DerivedId]; other new ids may not contain `~`.
  public ToolSessionBuilder derived(boolean isDerived) {
    derived = isDerived;
    return this;
  }

  /// @throws IllegalArgumentException if only the runtime may begin a conversation of that id
  void refuseReserved() {
    if (!derived) {
      DerivedId.requireChosen(conversationId);
    }
  }

  /// Sets the caller's number, null without a phone.
  public ToolSessionBuilder caller(@Nullable String number) {
    caller = number;
    return this;
  }

  /// Sets the number that was called, null without a phone.
  public ToolSessionBuilder callee(@Nullable String number) {
    callee = number;
    return this;
  }

  /// Adds attributes for handlers and listeners, such as a tenant or a trace.
  public ToolSessionBuilder attributes(Map<String, String> more) {
    if (!more.isEmpty()) {
      Map<String, String> all = new HashMap<>(attributes);
      all.putAll(more);
      attributes = Map.copyOf(all);
    }
    return this;
  }

  /// Adds tools of this conversation; the executor's tool wins if the names are equal.
  ///
  /// @throws IllegalArgumentException if two have the same name
  public ToolSessionBuilder tools(List<Tool> more) {
    for (Tool tool : more) {
      if (tools.put(tool.name(), tool) != null) {
        throw new IllegalArgumentException("two tools are called '" + tool.name() + "'");
      }
    }
    return this;
  }

  /// Sets the receiver of events, called one after the other, on the threads that cause them.
  public ToolSessionBuilder events(Consumer<Event> sink) {
    events = sink;
    return this;
  }

  /// Stores the events too, if the conversation is stored: each gets its number and is then passed
  /// on, on a thread of the log, or on one that waits for the log at the end of a turn.
  public ToolSessionBuilder log(@Nullable Consumer<Event.Logged> shown) {
    logged = shown;
    return this;
  }

  /// Stores the conversation there, and continues it if it exists.
  public ToolSessionBuilder store(ConversationStore kept) {
    store = kept;
    return this;
  }

  /// Sets the approver for questions of handlers; null for the executor's.
  public ToolSessionBuilder approver(@Nullable Approver asked) {
    approver = asked;
    return this;
  }

  /// Sets how the host acquires the conversation's lease.
  public ToolSessionBuilder hold(LeaseTerms terms) {
    hold = terms;
    return this;
  }

  /// Distinguishes the calls of this conversation from those of an earlier one of the same id, by
  /// their idempotency keys.
  public ToolSessionBuilder mark(String unique) {
    mark = unique;
    return this;
  }

  /// Sets the clock for repeated writes to the store.
  public ToolSessionBuilder time(Time clock) {
    time = clock;
    return this;
  }

  /// What the host has stated.
  SessionDetails details() {
    return new SessionDetails(
        principal, caller, callee, Map.copyOf(attributes), ConversationTools.of(tools), approver);
  }

  /// The receiver of its events.
  EventSink sink(@Nullable Journal journal) {
    if (events == null && (journal == null || logged == null)) {
      return EventSink.NONE;
    }
    return new EventSink(
        events, journal == null || logged == null ? null : new EventLog(journal, time, logged));
  }

  /// Builds the conversation.
  ///
  /// @throws ConversationNotFoundException if it belongs to another principal
  /// @throws IllegalArgumentException if it is new and its id contains `~`
  /// @throws RuntimeException if the store cannot be read
  public ToolSession build() {
    return new ToolSession(this);
  }
}
