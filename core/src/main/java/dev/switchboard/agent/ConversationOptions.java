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

/// What the host of a conversation knows of it when it opens it.
///
/// @param variables texts for placeholders of the prompt, beside the agent's own
/// @param caller the number of the one who calls, null off the phone
/// @param callee the number that was called, null off the phone
/// @param attributes for handlers and listeners, such as a tenant or a trace
/// @param tools of this conversation alone, beside the agent's; one whose name the agent has does
///   not count
/// @param log where each event goes once it has its number and is stored, null where events are not
///   to be stored
/// @param before what was said before, for a conversation that is kept nowhere, where the host
///   brings it along each time; null for one that is kept where the agent keeps its conversations
/// @param hold how its host takes hold of it
/// @param approver who is asked what handlers ask of a person, null for the agent's own
/// @param effects makes the loop's effects the host's, which may stop between two of them, or keep
///   what they have come to
/// @param store where the conversation is kept, null for where the agent keeps its conversations
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
  /// Nothing is known.
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

  /// These options with the number of the one who calls.
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

  /// These options with those tools in the place of others.
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

  /// These options with the conversation's events logged, where the agent has a store: each gets
  /// its number, is stored, and goes there after, one after the other, on a thread of the log's. So
  /// a stream of them can be taken up again where it broke off, with [Conversation#events].
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

  /// These options for a conversation that is kept nowhere: its model reads these messages before
  /// the user's next words, and all is forgotten when it is closed.
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

  /// These options for a host of which there is one at a time for the agent's store; null for any
  /// other.
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

  /// These options with someone who is asked what handlers ask of a person while their calls run.
  public ConversationOptions withApprover(Approver asked) {
    return new ConversationOptions(
        variables, caller, callee, attributes, tools, log, before, hold, asked, effects, store);
  }

  /// These options for a host that takes hold of it so.
  public ConversationOptions withHold(ConversationLease.Terms terms) {
    return new ConversationOptions(
        variables, caller, callee, attributes, tools, log, before, terms, approver, effects, store);
  }

  /// These options for a host that has effects of its own, made of the usual ones.
  public ConversationOptions withEffects(UnaryOperator<Effects> own) {
    return new ConversationOptions(
        variables, caller, callee, attributes, tools, log, before, hold, approver, own, store);
  }

  /// These options for a host with a store of its own for the conversation, in front of the
  /// agent's: it is not shared with a conversation of that id that is open.
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
