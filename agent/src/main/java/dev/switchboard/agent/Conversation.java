package dev.switchboard.agent;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.ToolSessionBuilder;
import dev.switchboard.execution.host.TurnRules;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.loop.Input;
import dev.switchboard.model.Message;
import dev.switchboard.ruling.Offer;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.state.LoopState;
import dev.switchboard.state.WaitingCall;
import dev.switchboard.text.UniqueId;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolSchemaException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A conversation with an agent, in this process.
///
/// Thread-safe: one turn runs at a time, and others wait for it. [#cancel()] and the methods that
/// only read do not wait, so an event listener may call them too; it cannot begin a turn. With a
/// store, the conversation survives the process: an interrupted turn can be resumed.
public final class Conversation implements AutoCloseable {
  private final String id;
  private final AgentParts agent;
  private final Conversations open;
  private final ToolSession session;
  private final TurnRules rules;
  private final TurnRunner runner;
  private final ConversationTurns turns;

  Conversation(String id, AgentParts parts, ConversationOptions options, Conversations open) {
    AgentParts agent = parts.forPrincipal(options.principal());
    this.id = id;
    this.agent = agent;
    this.open = open;
    List<Message> before = options.before();
    ConversationStore store = options.storeOr(agent.store());
    ToolSessionBuilder builder =
        ToolSession.builder(id)
            .principal(options.principal())
            .derived(options.derived())
            .caller(options.caller())
            .callee(options.callee())
            .attributes(options.attributes())
            .tools(options.tools())
            .log(options.log())
            .hold(options.hold())
            .approver(options.approver())
            .time(agent.time());
    // Without a store the ids of its calls come again when it is opened again.
    builder = store == null ? builder.mark(UniqueId.next("opened")) : builder.store(store);
    turns =
        new ConversationTurns(
            builder,
            own ->
                new TurnRunner(
                    id,
                    agent,
                    agent.variables().with(options.variables()).with(options.paragraph()),
                    own,
                    store,
                    open.seen(),
                    options.effects()),
            open.seen(),
            this::close);
    session = turns.session();
    runner = turns.runner();
    rules = agent.executor().rules(session);
    if (before != null) {
      runner.begin(before);
    }
    if (store != null) {
      rules.recover();
      agent.executor().takeOver(session);
    }
  }

  /// Whose conversation it is.
  String principal() {
    return session.principal();
  }

  /// The caller's number, null without a phone.
  @Nullable String caller() {
    return session.caller();
  }

  /// Shows a message of the agent to the user; returns false if no one listens.
  boolean show(Letter letter) {
    if (!turns.isShown()) {
      return false;
    }
    String said = agent.executor().guards(session).said(letter.content());
    return session.host().events().show(letter.withContent(said));
  }

  /// Its id.
  public String id() {
    return id;
  }

  /// The agent's first message, shown and stored if the conversation has not begun; null if it has,
  /// or if there is none.
  public @Nullable String greet(Consumer<Event> sink) {
    return turns.run(sink, runner::greet);
  }

  /// As [#greet(Consumer)], without events.
  public @Nullable String greet() {
    return greet(event -> {});
  }

  /// Runs the turn that this message begins, and returns its outcome. Exceptions of tools, hooks
  /// and the model are not thrown, except an [Error] of the model.
  ///
  /// @throws ConversationConflictException when another process continues the same conversation
  /// @throws IllegalStateException within an event or a hook of a turn, or when the stored
  ///   conversation cannot be read
  /// @throws RuntimeException of the agent's store when it cannot be read or written, such as a
  ///   `StoreException` of ours; the turn is then interrupted, and [#resume()] continues it if its
  ///   message was stored
  public Turn say(String text) {
    return take(Input.Said.of(text), null);
  }

  /// As [#say(String)]; `sink` receives the events while the turn runs, one after the other.
  public Turn say(String text, Consumer<Event> sink) {
    return take(Input.Said.of(text), sink);
  }

  /// As [#say(String)], with text and files; `sink` receives the events while the turn runs.
  ///
  /// @param sink receives the events; null if no one listens
  /// @throws IllegalArgumentException when the files exceed the conversation's limit
  public Turn say(Message.User said, @Nullable Consumer<Event> sink) {
    return take(Input.Said.of(said), sink);
  }

  /// The reply to this message as a value of that type, a record or a sealed interface of records.
  /// The reply is checked like the arguments of a typed tool; if it is invalid, the model is told
  /// the faults and asked again, at most twice.
  ///
  /// @throws Turn.NoReplyException when the turn ended otherwise: its text is not of the type, it
  ///   waits for a person, or it was stopped. After an answer to a request, the turn's
  ///   [Turn.Reply#as] has the value
  /// @throws ToolSchemaException when something in the type has no JSON Schema
  public <T> T ask(String text, Class<T> type) {
    return ask(new Message.User(text), type, null);
  }

  /// As [#ask(String, Class)], with text and files.
  ///
  /// @param sink receives the events; null if no one listens
  public <T> T ask(Message.User said, Class<T> type, @Nullable Consumer<Event> sink) {
    ReplyForm form = ReplyForm.of(type);
    return form.bound(turns.run(sink, () -> runner.ask(Input.Said.of(said), form)), type);
  }

  /// The total bytes of the files that the user has sent: all of them are in memory.
  public long fileBytes() {
    return runner.fileBytes();
  }

  /// A sentence that says why these files exceed the conversation's limit; null if they do not.
  public @Nullable String noRoomFor(List<Message.Attachment> files) {
    return runner.noRoomFor(files);
  }

  /// Continues the turn that waits for this answer, and returns its outcome.
  ///
  /// @throws IllegalArgumentException when no such request waits, or changed arguments are not
  ///   valid
  public Turn answer(String request, Answer answer) {
    return answer(request, answer, null);
  }

  /// As [#answer(String, Answer)]; `sink` receives the events while the turn runs.
  ///
  /// @param sink null if no one listens
  public Turn answer(String request, Answer answer, @Nullable Consumer<Event> sink) {
    LiveSession line = turns.line();
    if (line != null) {
      return line.answered(request, answer);
    }
    return turns.run(sink, () -> runner.answer(request, answer));
  }

  /// Continues the turn that waits for this answer, and returns its outcome.
  ///
  /// @throws IllegalArgumentException as [#answer(String, Answer)]
  public Turn answer(ConsentRequest request, Answer answer) {
    return answer(request.id(), answer, null);
  }

  /// Stores a person's answer to a request and reports it, without waiting for the call, which runs
  /// when the conversation continues: by [#resume()], even after a restart. Does not wait for a
  /// running turn.
  ///
  /// @return the outcome of the request: this answer if it was open, otherwise the earlier one;
  ///   null if there was no such request recently
  /// @throws IllegalArgumentException when changed arguments are not valid; the request stays open
  /// @throws RuntimeException of the agent's store when it cannot be read or written
  public @Nullable ConsentAnswer decide(String request, Answer answer) {
    return runner.decide(request, answer);
  }

  /// Logs, before answers are stored, the name that a client gives to the part of the turn that
  /// follows from them: once, in an event with the key `run/` and this name. Returns when the event
  /// is stored, since another process may run the calls.
  ///
  /// @param input the id of the input that it follows from, by which a repeated one is recognized
  public void name(String run, String input) {
    session.host().events().name(run, input);
    RuntimeException unused = session.host().events().flush();
  }

  /// Whether an interrupted turn waits to be continued by [#resume()].
  public boolean isCutOff() {
    return runner.isCutOff();
  }

  /// Whether an answer is stored whose call has not run.
  public boolean hasDecided() {
    return session.state().waiting().stream().anyMatch(WaitingCall::isDecided);
  }

  /// Runs a call that a person makes instead of the model, such as one that reverts a change. It
  /// goes through the execution pipeline as a turn of its own, and the model reads of it later. The
  /// text of the [Turn.Reply] is the result's message, empty if it has none.
  ///
  /// @param sink receives the events
  /// @throws IllegalStateException while a turn waits for consent
  public Turn call(ToolCall call, Consumer<Event> sink) {
    return call(call, null, sink);
  }

  /// As the other, by one who acts for the principal, such as an operator; null for the principal.
  public Turn call(ToolCall call, @Nullable String by, Consumer<Event> sink) {
    return turns.run(sink, () -> runner.call(call, by));
  }

  /// Continues a turn that a crash interrupted, or whose requests were answered elsewhere or have
  /// expired; null if there is none.
  public @Nullable Turn resume(Consumer<Event> sink) {
    LiveSession line = turns.line();
    if (line != null) {
      line.settleDecided();
      return null;
    }
    return turns.run(sink, runner::resume);
  }

  /// As [#resume(Consumer)], without events.
  public @Nullable Turn resume() {
    return resume(event -> {});
  }

  /// Ends the conversation here and returns how its turn ended: running calls are cancelled where
  /// allowed, waiting ones are denied, and nothing more runs in this object.
  public Turn hangUp() {
    return hangUp(event -> {});
  }

  /// As [#hangUp()]; `sink` receives the events. Another process may reopen the conversation.
  public Turn hangUp(Consumer<Event> sink) {
    turns.checkPlace();
    session.cancel();
    return take(Input.HungUp.of(), sink);
  }

  /// Runs the turn of a message once per id, which the host chooses, so that a message delivered
  /// twice counts once.
  ///
  /// @param sink receives the events; null if no one listens, so that the model need not stream
  public Turn sayOnce(String id, String text, @Nullable Consumer<Event> sink) {
    return take(new Input.Said(id, text), sink);
  }

  /// Runs the turn of that input; an input that was processed before counts once.
  ///
  /// @param sink receives the events; null if no one listens
  public Turn take(Input input, @Nullable Consumer<Event> sink) {
    return turns.run(sink, () -> runner.take(input));
  }

  /// Logs that the input of that id is refused, and why.
  public void refuse(String input, String why) {
    boolean unused =
        turns.run(
            null,
            () -> {
              runner.refuse(input, why);
              return true;
            });
  }

  /// Opens the conversation for a host that drives its model: no other turn begins here until the
  /// session is closed.
  ///
  /// @throws ConversationConflictException when another process holds it
  LiveSession live(Consumer<Event> sink) {
    return turns.live(sink);
  }

  /// Does the work of this process on a conversation that it has claimed.
  void claimed(BiConsumer<TurnRunner, ToolSession> work) {
    turns.run(
        null,
        () -> {
          work.accept(runner, session);
          return null;
        });
  }

  /// Its events after that number, at most so many, in order; none if they are not logged, see
  /// [ConversationOptions#withLog].
  public List<Event.Logged> events(long after, int most) {
    return session.host().events().after(after, most);
  }

  /// Cancels the running turn, if any, from another thread: the model is cut off, calls that may be
  /// cancelled are, others finish, and every call has its result.
  public void cancel() {
    turns.cancel();
  }

  /// Ends the turn that waits for answers, denying each request in the name of this person, without
  /// asking the model again; null if no turn waits.
  public @Nullable Turn cancelWaiting(String by, Consumer<Event> sink) {
    return turns.run(sink, () -> runner.cancelWaiting(by));
  }

  /// The requests for consent that no one has answered.
  public List<ConsentRequest> waiting() {
    return runner.waiting();
  }

  /// The tools that the rules would offer the model now.
  public Offer offer() {
    return rules.offer();
  }

  /// Why the rules would refuse a call of that tool now, as the rest of a sentence; null if they
  /// would not.
  public @Nullable String refusal(String tool) {
    return rules.refusal(tool);
  }

  /// The state of the loop; while a turn runs, the state before it.
  public LoopState state() {
    return runner.state();
  }

  /// The messages so far, as the model would read them.
  public List<Message> history() {
    return runner.history();
  }

  /// How long another process still holds the conversation unless it renews its lease; null if none
  /// holds it. Until then a turn here throws a [ConversationConflictException].
  public @Nullable Duration held() {
    return session.host().lease().held(open.seen());
  }

  /// Whether a host drives it, as on a phone line: no turn begins here until that host closes it.
  public boolean isLive() {
    return turns.line() != null;
  }

  /// That host's session, null if none drives it.
  @Nullable LiveSession line() {
    return turns.line();
  }

  /// Hands the running turn over, since this process ends: another one continues it at once, and
  /// its calls that may have begun here do not count as ones that have ended their process.
  public void handOver() {
    session.host().lease().handOver();
  }

  /// Closes the conversation; without a store it is forgotten.
  ///
  /// @throws IllegalStateException when results could not be stored, which are lost when this
  ///   process ends
  @Override
  public void close() {
    open.forget(id, this);
    session.close();
  }
}
