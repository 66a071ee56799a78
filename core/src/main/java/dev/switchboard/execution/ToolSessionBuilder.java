package dev.switchboard.execution;

import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A [ToolSession] in the making.
public final class ToolSessionBuilder {
  final @Nullable String conversationId;
  @Nullable String caller;
  @Nullable String callee;
  @Nullable Consumer<Event> events;
  @Nullable ConversationStore store;
  String mark = "";
  Time time = Time.SYSTEM;

  ToolSessionBuilder(@Nullable String conversationId) {
    this.conversationId = conversationId;
  }

  /// The number of the one who calls.
  public ToolSessionBuilder caller(String number) {
    caller = number;
    return this;
  }

  /// The number that was called.
  public ToolSessionBuilder callee(String number) {
    callee = number;
    return this;
  }

  /// Where events go, one after the other, on the thread where they happen.
  public ToolSessionBuilder events(Consumer<Event> sink) {
    events = sink;
    return this;
  }

  /// Keeps the conversation there, and goes on with it where it is known there.
  public ToolSessionBuilder store(ConversationStore kept) {
    store = kept;
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

  /// The conversation.
  ///
  /// @throws RuntimeException when the store cannot be read
  public ToolSession build() {
    return new ToolSession(this, new CallLog());
  }
}
