package dev.switchboard.agent;

import dev.switchboard.consent.Approver;
import dev.switchboard.execution.ConversationLease;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.Tool;
import dev.switchboard.loop.Effects;
import dev.switchboard.model.Message;
import dev.switchboard.tool.Event;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What the host of a conversation states when it opens it.
///
/// @param variables texts for placeholders of the prompt, beside the agent's own
/// @param caller the caller's number, null without a phone
/// @param callee the number that was called, null without a phone
/// @param attributes for handlers and listeners, such as a tenant or a trace
/// @param tools of this conversation only, beside the agent's; the agent's tool wins if the names
///   are equal
/// @param log receives each event once it has its number and is stored, null if events are not
///   stored
/// @param before earlier messages, for a conversation that is not stored and whose host passes them
///   each time; null for one that is stored where the agent stores its conversations
/// @param hold how its host holds it
/// @param approver answers questions of handlers to a person, null for the agent's own
/// @param effects wraps the loop's effects, for a host that may stop between two of them, or record
///   their outcomes
/// @param store where the conversation is stored, null for where the agent stores its conversations
public record ConversationOptions(
    Map<String, String> variables,
    @Nullable String caller,
    @Nullable String callee,
    Map<String, String> attributes,
    List<Tool> tools,
    @Nullable Consumer<Event.Logged> log,
    @Nullable List<Message> before,
    ConversationLease.Terms hold,
    @Nullable Approver approver,
    UnaryOperator<Effects> effects,
    @Nullable ConversationStore store) {
  /// No options.
  public static final ConversationOptions NONE =
      new ConversationOptions(
          Map.of(),
          null,
          null,
          Map.of(),
          List.of(),
          null,
          null,
          ConversationLease.USUAL,
          null,
          UnaryOperator.identity(),
          null);

  public ConversationOptions {
    variables = Map.copyOf(variables);
    attributes = Map.copyOf(attributes);
    tools = List.copyOf(tools);
    before = before == null ? null : List.copyOf(before);
  }

  /// These options with that text for a placeholder of the prompt.
  public ConversationOptions withVariable(String name, String text) {
    return new ConversationOptions(
        with(variables, name, text),
        caller,
        callee,
        attributes,
        tools,
        log,
        before,
        hold,
        approver,
        effects,
        store);
  }

  /// These options with the caller's number.
  public ConversationOptions withCaller(String number) {
    return new ConversationOptions(
        variables, number, callee, attributes, tools, log, before, hold, approver, effects, store);
  }

  /// These options with the number that was called.
  public ConversationOptions withCallee(String number) {
    return new ConversationOptions(
        variables, caller, number, attributes, tools, log, before, hold, approver, effects, store);
  }

  /// These options with that attribute.
  public ConversationOptions withAttribute(String name, String value) {
    return new ConversationOptions(
        variables,
        caller,
        callee,
        with(attributes, name, value),
        tools,
        log,
        before,
        hold,
        approver,
        effects,
        store);
  }

  /// These options with those tools instead of others.
  public ConversationOptions withTools(Tool... own) {
    return new ConversationOptions(
        variables,
        caller,
        callee,
        attributes,
        List.of(own),
        log,
        before,
        hold,
        approver,
        effects,
        store);
  }

  /// These options with logged events, if the agent has a store: each event gets its number, is
  /// stored, and is then passed on, one after the other, on a thread of the log, or at the end of a
  /// turn on that of its caller. So a client can resume a lost stream with [Conversation#events].
  public ConversationOptions withLog(Consumer<Event.Logged> shown) {
    return new ConversationOptions(
        variables,
        caller,
        callee,
        attributes,
        tools,
        shown,
        before,
        hold,
        approver,
        effects,
        store);
  }

  /// These options for a conversation that is not stored: its model reads these messages before the
  /// user's next one, and everything is forgotten when it is closed.
  public ConversationOptions withHistory(List<Message> messages) {
    return new ConversationOptions(
        variables,
        caller,
        callee,
        attributes,
        tools,
        log,
        messages,
        hold,
        approver,
        effects,
        store);
  }

  /// These options for the only host of the agent's store; null for any other host.
  public ConversationOptions withSoleHost(@Nullable String name) {
    return new ConversationOptions(
        variables,
        caller,
        callee,
        attributes,
        tools,
        log,
        before,
        hold.of(name),
        approver,
        effects,
        store);
  }

  /// These options with an approver for questions that handlers ask a person while their calls run.
  public ConversationOptions withApprover(Approver asked) {
    return new ConversationOptions(
        variables, caller, callee, attributes, tools, log, before, hold, asked, effects, store);
  }

  /// These options for a host that holds the conversation on these terms.
  public ConversationOptions withHold(ConversationLease.Terms terms) {
    return new ConversationOptions(
        variables, caller, callee, attributes, tools, log, before, terms, approver, effects, store);
  }

  /// These options for a host that wraps the usual effects.
  public ConversationOptions withEffects(UnaryOperator<Effects> own) {
    return new ConversationOptions(
        variables, caller, callee, attributes, tools, log, before, hold, approver, own, store);
  }

  /// These options for a host with its own store for the conversation, in front of the agent's; the
  /// conversation is not shared with an open one of that id.
  public ConversationOptions withStore(ConversationStore kept) {
    return new ConversationOptions(
        variables, caller, callee, attributes, tools, log, before, hold, approver, effects, kept);
  }

  private static Map<String, String> with(Map<String, String> known, String name, String value) {
    Map<String, String> next = new HashMap<>(known);
    next.put(name, value);
    return next;
  }
}
