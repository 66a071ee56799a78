package dev.switchboard.agent;

import dev.switchboard.consent.Approver;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ExecutionListener;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.handler.Tool;
import dev.switchboard.loop.Effects;
import dev.switchboard.model.Message;
import dev.switchboard.text.DerivedId;
import dev.switchboard.text.PrincipalName;
import dev.switchboard.tool.Event;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What the host of a conversation states when it opens it.
///
/// @param principal whose conversation it is, such as the name of a token of the server or of a
///   user of an application; another principal's conversation is not found
/// @param derived whether its id is one that a host derives, see [DerivedId]; any other new id may
///   not contain `~`
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
/// @param paragraph joins the agent's prompt, empty for none
public record ConversationOptions(
    String principal,
    boolean derived,
    Map<String, String> variables,
    @Nullable String caller,
    @Nullable String callee,
    Map<String, String> attributes,
    List<Tool> tools,
    @Nullable Consumer<Event.Logged> log,
    @Nullable List<Message> before,
    LeaseTerms hold,
    @Nullable Approver approver,
    UnaryOperator<Effects> effects,
    @Nullable ConversationStore store,
    String paragraph) {
  /// No options: a conversation of the local user, [PrincipalName#LOCAL].
  public static final ConversationOptions NONE =
      new ConversationOptions(
          PrincipalName.LOCAL,
          false,
          Map.of(),
          null,
          null,
          Map.of(),
          List.of(),
          null,
          null,
          LeaseTerms.USUAL,
          null,
          UnaryOperator.identity(),
          null,
          "");

  /// Where the conversation is stored; null if it is not.
  @Nullable ConversationStore storeOr(@Nullable ConversationStore usual) {
    ConversationStore own = store == null ? usual : store;
    return before == null ? own : null;
  }

  /// @throws IllegalArgumentException when the principal's name is empty, longer than 200
  ///   characters, or has control characters
  public ConversationOptions {
    principal = PrincipalName.checked(principal);
    variables = Map.copyOf(variables);
    attributes = Map.copyOf(attributes);
    tools = List.copyOf(tools);
    before = before == null ? null : List.copyOf(before);
  }

  /// A copy of options, of which some are changed.
  private static final class Copy {
    private String principal;
    private boolean derived;
    private Map<String, String> variables;
    private @Nullable String caller;
    private @Nullable String callee;
    private Map<String, String> attributes;
    private List<Tool> tools;
    private @Nullable Consumer<Event.Logged> log;
    private @Nullable List<Message> before;
    private LeaseTerms hold;
    private @Nullable Approver approver;
    private UnaryOperator<Effects> effects;
    private @Nullable ConversationStore store;
    private String paragraph;

    Copy(ConversationOptions from) {
      principal = from.principal;
      derived = from.derived;
      variables = from.variables;
      caller = from.caller;
      callee = from.callee;
      attributes = from.attributes;
      tools = from.tools;
      log = from.log;
      before = from.before;
      hold = from.hold;
      approver = from.approver;
      effects = from.effects;
      store = from.store;
      paragraph = from.paragraph;
    }

    ConversationOptions options() {
      return new ConversationOptions(
          principal,
          derived,
          variables,
          caller,
          callee,
          attributes,
          tools,
          log,
          before,
          hold,
          approver,
          effects,
          store,
          paragraph);
    }
  }

  private ConversationOptions with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.options();
  }

  /// These options for a conversation of that principal: it begins as theirs, and is not found if
  /// it belongs to another. Memory belongs to the principal too.
  ///
  /// @throws IllegalArgumentException when the name is empty, longer than 200 characters, or has
  ///   control characters
  public ConversationOptions withPrincipal(String name) {
    return with(copy -> copy.principal = name);
  }

  /// These options for a conversation whose id the host derives from its principal, see
  /// [DerivedId].
  public ConversationOptions withDerivedId() {
    return with(copy -> copy.derived = true);
  }

  /// These options with that text for a placeholder of the prompt.
  public ConversationOptions withVariable(String name, String text) {
    return with(copy -> copy.variables = added(variables, name, text));
  }

  /// These options with the caller's number.
  public ConversationOptions withCaller(String number) {
    return with(copy -> copy.caller = number);
  }

  /// These options with the number that was called.
  public ConversationOptions withCallee(String number) {
    return with(copy -> copy.callee = number);
  }

  /// These options with that attribute.
  public ConversationOptions withAttribute(String name, String value) {
    return with(copy -> copy.attributes = added(attributes, name, value));
  }

  /// These options with one who acts for the principal in every turn, such as an operator, whom the
  /// audit log names too; null for the principal.
  public ConversationOptions withActor(@Nullable String actor) {
    return actor == null ? this : withAttribute(ExecutionListener.ACTOR, actor);
  }

  /// These options with those tools instead of others.
  public ConversationOptions withTools(Tool... own) {
    return with(copy -> copy.tools = List.of(own));
  }

  /// These options with logged events, if the agent has a store: each event gets its number, is
  /// stored, and is then passed on, one after the other, on a thread of the log, or at the end of a
  /// turn on that of its caller. So a client can resume a lost stream with [Conversation#events].
  public ConversationOptions withLog(Consumer<Event.Logged> shown) {
    return with(copy -> copy.log = shown);
  }

  /// These options for a conversation that is not stored: its model reads these messages before the
  /// user's next one, and everything is forgotten when it is closed.
  public ConversationOptions withHistory(List<Message> messages) {
    return with(copy -> copy.before = messages);
  }

  /// These options for the only host of the agent's store; null for any other host.
  public ConversationOptions withSoleHost(@Nullable String name) {
    return with(copy -> copy.hold = hold.of(name));
  }

  /// These options with an approver for questions that handlers ask a person while their calls run.
  public ConversationOptions withApprover(Approver asked) {
    return with(copy -> copy.approver = asked);
  }

  /// These options for a host that holds the conversation on these terms.
  public ConversationOptions withHold(LeaseTerms terms) {
    return with(copy -> copy.hold = terms);
  }

  /// These options for a host that wraps the usual effects.
  public ConversationOptions withEffects(UnaryOperator<Effects> own) {
    return with(copy -> copy.effects = own);
  }

  /// These options for a host with its own store for the conversation, in front of the agent's; the
  /// conversation is not shared with an open one of that id.
  public ConversationOptions withStore(ConversationStore kept) {
    return with(copy -> copy.store = kept);
  }

  /// These options with a paragraph that joins the agent's prompt, such as how to speak on the
  /// phone; its placeholders are filled as those of the prompt.
  public ConversationOptions withParagraph(String text) {
    return with(copy -> copy.paragraph = text);
  }

  private static Map<String, String> added(Map<String, String> known, String name, String value) {
    Map<String, String> next = new HashMap<>(known);
    next.put(name, value);
    return next;
  }
}
