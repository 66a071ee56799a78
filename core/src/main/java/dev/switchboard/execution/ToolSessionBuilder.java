package dev.switchboard.execution;

import dev.switchboard.consent.Approver;
import dev.switchboard.handler.Tool;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A [ToolSession] in the making.
public final class ToolSessionBuilder {
  final String conversationId;
  @Nullable String caller;
  @Nullable String callee;
  Map<String, String> attributes = Map.of();
  final Map<String, Tool> tools = new LinkedHashMap<>(0);
  @Nullable Consumer<Event> events;
  @Nullable Consumer<Event.Logged> logged;
  @Nullable ConversationStore store;
  String mark = "";
  ConversationLease.Terms hold = ConversationLease.USUAL;
  @Nullable Approver approver;
  Time time = Time.SYSTEM;

  ToolSessionBuilder(String conversationId) {
    this.conversationId = conversationId;
  }

  /// The number of the one who calls, null off the phone.
  public ToolSessionBuilder caller(@Nullable String number) {
    caller = number;
    return this;
  }

  /// The number that was called, null off the phone.
  public ToolSessionBuilder callee(@Nullable String number) {
    callee = number;
    return this;
  }

  /// Says something of the conversation for handlers and listeners, such as a tenant or a trace.
  public ToolSessionBuilder attributes(Map<String, String> more) {
    if (!more.isEmpty()) {
      Map<String, String> all = new HashMap<>(attributes);
      all.putAll(more);
      attributes = Map.copyOf(all);
    }
    return this;
  }

  /// Adds tools for this conversation alone, beside the executor's own: calls, rules and what is
  /// offered know them there. A tool whose name the executor has does not count.
  ///
  /// @throws IllegalArgumentException when two have the same name
  public ToolSessionBuilder tools(List<Tool> more) {
    for (Tool tool : more) {
      if (tools.put(tool.name(), tool) != null) {
        throw new IllegalArgumentException("two tools are called '" + tool.name() + "'");
      }
    }
    return this;
  }

  /// Where events go, one after the other, on the thread where they happen.
  public ToolSessionBuilder events(Consumer<Event> sink) {
    events = sink;
    return this;
  }

  /// Stores the events too, where the conversation is stored: each gets its number, and goes there
  /// after, on a thread of the log's.
  public ToolSessionBuilder log(@Nullable Consumer<Event.Logged> shown) {
    logged = shown;
    return this;
  }

  /// Keeps the conversation there, and goes on with it where it is known there.
  public ToolSessionBuilder store(ConversationStore kept) {
    store = kept;
    return this;
  }

  /// Asks there what handlers ask of a person while their calls run; null for who is asked about
  /// calls.
  public ToolSessionBuilder approver(@Nullable Approver asked) {
    approver = asked;
    return this;
  }

  /// How its host takes hold of it.
  public ToolSessionBuilder hold(ConversationLease.Terms terms) {
    hold = terms;
    return this;
  }

  /// Tells the calls of this conversation from those of another of the same id, such as one that
  /// was forgotten: part of their idempotency keys.
  public ToolSessionBuilder mark(String unique) {
    mark = unique;
    return this;
  }

  /// The clock that it tries by to store again what its store did not take.
  public ToolSessionBuilder time(Time clock) {
    time = clock;
    return this;
  }

  /// Where its events go.
  EventSink sink(@Nullable Journal journal) {
    if (events == null && (journal == null || logged == null)) {
      return EventSink.NONE;
    }
    return new EventSink(
        events, journal == null || logged == null ? null : new EventLog(journal, time, logged));
  }

  /// The conversation.
  ///
  /// @throws RuntimeException when the store cannot be read
  public ToolSession build() {
    return new ToolSession(this, new CallLog());
  }
}
