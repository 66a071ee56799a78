package dev.switchboard.agent;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.ToolSessionBuilder;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.loop.Input;
import dev.switchboard.model.Message;
import dev.switchboard.ruling.Offer;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.state.ConversationState.Waiting;
import dev.switchboard.state.LoopState;
import dev.switchboard.text.UniqueId;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolSchemaException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A conversation with an agent, in this process.
///
/// Safe for use by several threads: one turn runs at a time, others wait for it; [#cancel()], and
/// asking where it stands, does not wait, so both may be done within an event too. No turn begins
/// there. With a store, what was said survives the process at any moment: an unfinished turn is
/// taken up where it broke off.
public final class Conversation implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Conversation.class.getName());

  private final String id;
  private final AgentParts agent;
  private final Conversations open;
  private final ToolSession session;
  private final TurnRunner turns;
  private final ReentrantLock turnLock = new ReentrantLock();
  private volatile @Nullable Consumer<Event> events;
  private volatile @Nullable Thread showing;
  private volatile boolean running;
  private volatile @Nullable LiveSession live;

  Conversation(String id, AgentParts agent, ConversationOptions options, Conversations open) {
    this.id = id;
    this.agent = agent;
    this.open = open;
    List<Message> before = options.before();
    ConversationStore own = options.store();
    ConversationStore store = before == null ? own == null ? agent.store() : own : null;
    ToolSessionBuilder builder =
        ToolSession.builder(id)
            .caller(options.caller())
            .callee(options.callee())
            .attributes(options.attributes())
            .tools(options.tools())
            .events(this::pass)
            .log(options.log())
            .hold(options.hold())
            .approver(options.approver())
            .time(agent.time());
    // Without a store the ids of its calls come again when it is opened again.
    session =
        (store == null ? builder.mark(UniqueId.next("opened")) : builder.store(store)).build();
    turns =
        new TurnRunner(
            id,
            agent,
            agent.variables().with(options.variables()),
            session,
            store,
            open.seen(),
            options.effects());
    if (before != null) {
      turns.begin(before);
    }
    if (store != null) {
      agent.executor().loop().recover(session);
      agent.executor().takeOver(session);
    }
  }

  /// Shows one event after the other.
  private void pass(Event event) {
    Consumer<Event> sink = events;
    if (sink == null) {
      return;
    }
    Thread before = showing;
    showing = Thread.currentThread();
    try {
      sink.accept(event);
    } finally {
      showing = before;
    }
  }

  /// Shows a message of the agent's to the user; false where no one listens.
  boolean show(Letter letter) {
    if (events == null) {
      return false;
    }
    String said = agent.executor().loop().said(letter.content(), session);
    return session.events().show(letter.withContent(said));
  }

  /// Its id.
  public String id() {
    return id;
  }

  /// The agent's first words, shown and written down where the conversation has not begun; null
  /// where it has, or there are none.
  public @Nullable String greet(Consumer<Event> sink) {
    return inTurn(sink, turns::greet);
  }

  /// As [#greet(Consumer)], without events.
  public @Nullable String greet() {
    return greet(event -> {});
  }

  /// How the turn comes to rest that these words of the user begin. What tools, hooks and the model
  /// throw does not come out here, but for an [Error] of the model's.
  ///
  /// @throws ConversationConflictException when another process goes on with the same conversation
  /// @throws IllegalStateException within an event or a hook of a turn, or where what is stored of
  ///   the conversation cannot be read
  /// @throws RuntimeException of the agent's store when it cannot be read or written, such as a
  ///   `StoreException` of ours; the turn broke off then, and [#resume()] takes it up where its
  ///   words were stored
  public Turn say(String text) {
    return take(Input.Said.of(text), null);
  }

  /// As [#say(String)]; events are shown there while it runs, one after the other.
  public Turn say(String text, Consumer<Event> sink) {
    return take(Input.Said.of(text), sink);
  }

  /// As [#say(String)], of words and files; events are shown there while the turn runs.
  ///
  /// @param sink takes the events; null where no one listens
  /// @throws IllegalArgumentException when the conversation has no room for the files
  public Turn say(Message.User said, @Nullable Consumer<Event> sink) {
    return take(Input.Said.of(said), sink);
  }

  /// The reply to these words as a value of that type, a record or a sealed interface of records.
  /// What the model says is checked as the arguments of a typed tool are, and asked for again with
  /// the faults, twice at most.
  ///
  /// @throws Turn.NoReplyException when the turn came to rest otherwise: its words are not of the
  ///   type, it waits for a person, or it was cut short. After an answer to a request, the turn's
  ///   [Turn.Reply#as] has the value
  /// @throws ToolSchemaException when something in the type has no JSON Schema
  public <T> T ask(String text, Class<T> type) {
    return ask(new Message.User(text), type, null);
  }

  /// As [#ask(String, Class)], of words and files.
  ///
  /// @param sink takes the events; null where no one listens
  public <T> T ask(Message.User said, Class<T> type, @Nullable Consumer<Event> sink) {
    ReplyForm form = ReplyForm.of(type);
    return form.bound(inTurn(sink, () -> turns.ask(Input.Said.of(said), form)), type);
  }

  /// How many bytes the files have together that the user has shown: all of them are in memory.
  public long fileBytes() {
    return turns.fileBytes();
  }

  /// Why these files are too many for the conversation, a sentence; null where they are not.
  public @Nullable String noRoomFor(List<Message.Attachment> files) {
    return turns.noRoomFor(files);
  }

  /// How the turn comes to rest that waited for this answer.
  ///
  /// @throws IllegalArgumentException when no such request waits, or the arguments put in are not
  ///   good ones
  public Turn answer(String request, Answer answer) {
    return answering(request, answer, null);
  }

  /// As [#answer(String, Answer)]; events are shown there while it runs.
  public Turn answer(String request, Answer answer, Consumer<Event> sink) {
    return answering(request, answer, sink);
  }

  /// How the turn comes to rest that waited for this answer.
  ///
  /// @throws IllegalArgumentException as [#answer(String, Answer)]
  public Turn answer(ConsentRequest request, Answer answer) {
    return answering(request.id(), answer, null);
  }

  private Turn answering(String request, Answer answer, @Nullable Consumer<Event> sink) {
    LiveSession line = live;
    if (line != null) {
      if (!line.answer(request, answer)) {
        throw new IllegalArgumentException("no call '" + request + "' waits for consent");
      }
      return new Turn.Reply("");
    }
    return inTurn(sink, () -> turns.answer(request, answer));
  }

  /// Keeps a person's answer to a request and tells it, without waiting for the call, which runs
  /// when the conversation is gone on with: by [#resume()], after a restart too. Does not wait for
  /// a turn that runs.
  ///
  /// @return what became of the request: this answer where it was open, else the one that came
  ///   before; null where there was no such request lately
  /// @throws IllegalArgumentException when the arguments put in are not good ones; the request
  ///   stays open
  /// @throws RuntimeException of the agent's store when it cannot be read or written
  public @Nullable ConsentAnswer decide(String request, Answer answer) {
    return turns.decide(request, answer);
  }

  /// Tells in the log, before answers are kept, what a client calls the stretch of the turn that
  /// follows from them: in an event of the key `run/` and this, once. Returns when it is stored,
  /// since another process may carry the answers out.
  ///
  /// @param input what it follows from, by which one sent twice is known
  public void name(String run, String input) {
    session.events().name(run, input);
    RuntimeException unused = session.events().flush();
  }

  /// Whether a turn has begun that has not come to rest, where none runs: [#resume()] goes on with
  /// it.
  public boolean isCutOff() {
    return turns.isCutOff();
  }

  /// Whether an answer is kept whose call has not run.
  public boolean hasDecided() {
    return session.state().waiting().stream().anyMatch(Waiting::isDecided);
  }

  /// How a call comes to rest that a person makes, and not the model, such as one that takes a
  /// change back: it goes through the door as a turn of its own, and the model reads of it later.
  /// The words of a [Turn.Reply] are the result's message, empty where it has none.
  ///
  /// @param sink takes the events
  /// @throws IllegalStateException while a turn waits for consent
  public Turn call(ToolCall call, Consumer<Event> sink) {
    return inTurn(sink, () -> turns.call(call));
  }

  /// Goes on with a turn that a crash cut off, or whose requests were answered elsewhere or not in
  /// time; null where there is nothing to go on with.
  public @Nullable Turn resume(Consumer<Event> sink) {
    LiveSession line = live;
    if (line != null) {
      line.carryOut();
      return null;
    }
    return inTurn(sink, turns::resume);
  }

  /// As [#resume(Consumer)], without events.
  public @Nullable Turn resume() {
    return resume(event -> {});
  }

  /// How the conversation ends: what runs is cut off where it may be, what waits is denied, and
  /// nothing runs in it any more.
  public Turn hangUp() {
    return hangUp(event -> {});
  }

  /// As [#hangUp()]; events are shown there. It is this process that hangs up: another may take the
  /// conversation up again.
  public Turn hangUp(Consumer<Event> sink) {
    checkPlace();
    session.cancel();
    return take(Input.HungUp.of(), sink);
  }

  /// A sentence under an id of the host's own, so that one delivered twice counts once, and how its
  /// turn ends.
  ///
  /// @param sink takes the events; null where no one listens, so that the model need not stream
  public Turn sayOnce(String id, String text, @Nullable Consumer<Event> sink) {
    return take(new Input.Said(id, text), sink);
  }

  /// As [#sayOnce(String, String, Consumer)], for a client that names the turn too.
  ///
  /// @param run its name for the turn, which the log tells in an event of the key `run/` and this
  public Turn sayOnce(String id, String text, String run, @Nullable Consumer<Event> sink) {
    return take(new Input.Said(id, text, run), sink);
  }

  /// Words and files under an id of the host's own, as [#sayOnce(String, String, Consumer)].
  ///
  /// @param run the client's name for the turn, null for none
  /// @throws IllegalArgumentException when the conversation has no room for the files
  public Turn sayOnce(
      String id, Message.User said, @Nullable String run, @Nullable Consumer<Event> sink) {
    return take(new Input.Said(id, said, run), sink);
  }

  /// How the turn of that input comes to rest; one that was taken before counts once.
  ///
  /// @param sink takes the events; null where no one listens
  public Turn take(Input input, @Nullable Consumer<Event> sink) {
    return inTurn(sink, () -> turns.take(input));
  }

  /// Tells in the log that the input of that id is not taken, and why.
  public void refuse(String input, String why) {
    boolean unused =
        inTurn(
            null,
            () -> {
              turns.refuse(input, why);
              return true;
            });
  }

  private <T extends @Nullable Object> T inTurn(@Nullable Consumer<Event> sink, Supplier<T> work) {
    checkPlace();
    turnLock.lock();
    try {
      turns.heard(sink != null);
      events = sink;
      running = true;
      session.hold(open.seen());
      return work.get();
    } catch (ConversationConflictException e) {
      closeAfter(e);
      throw e;
    } finally {
      RuntimeException unused = session.events().flush();
      running = false;
      events = null;
      release();
    }
  }

  /// Does the work of this process on it, which has claimed it.
  void claimed(BiConsumer<TurnRunner, ToolSession> work) {
    inTurn(
        null,
        () -> {
          work.accept(turns, session);
          return null;
        });
  }

  /// The conversation in the hands of a host that drives its model: no turn begins here until that
  /// is closed.
  ///
  /// @throws ConversationConflictException when another process holds it
  LiveSession live(Consumer<Event> sink) {
    checkPlace();
    turnLock.lock();
    try {
      turns.heard(true);
      events = sink;
      session.hold(open.seen());
      LiveSession line = turns.live(this::endLive);
      live = line;
      return line;
    } finally {
      turnLock.unlock();
    }
  }

  private void endLive() {
    RuntimeException unused = session.events().flush();
    live = null;
    events = null;
    try {
      session.lease().release();
    } finally {
      close();
    }
  }

  private void closeAfter(ConversationConflictException conflict) {
    try {
      close();
    } catch (IllegalStateException e) {
      conflict.addSuppressed(e);
    }
  }

  private void release() {
    try {
      if (turns.isCutOff()) {
        // It ends by itself, and then whoever looks what is due goes on with the turn.
        session.lease().leave();
      } else {
        session.lease().release();
      }
    } catch (RuntimeException e) {
      // It ends by itself.
      LOG.log(Level.DEBUG, "a conversation is still held", e);
    } finally {
      turnLock.unlock();
    }
  }

  /// A turn that waited for itself would wait for ever.
  private void checkPlace() {
    if (live != null) {
      throw new IllegalStateException("the conversation is on a live line");
    }
    if (turnLock.isHeldByCurrentThread()
        || Thread.currentThread().equals(showing)
        || session.events().isShownHere()) {
      throw new IllegalStateException("a turn cannot begin within another one");
    }
  }

  /// Its events after that number, at most so many, in their order; none where they are not logged,
  /// which [ConversationOptions#withLog] says.
  public List<Event.Logged> events(long after, int most) {
    return session.events().after(after, most);
  }

  /// Ends the turn that runs, if one does, from another thread: the model is cut off, calls that
  /// may be cancelled are, the others run to their end, and every call has its result.
  public void cancel() {
    if (running) {
      session.cancelTurn();
    }
  }

  /// How a turn ends that waits for answers: each is no, in the name of this person, and the model
  /// is not asked again; null where no turn waits.
  public @Nullable Turn cancelWaiting(String by, Consumer<Event> sink) {
    return inTurn(sink, () -> turns.cancelWaiting(by));
  }

  /// The requests for consent that no one has answered.
  public List<ConsentRequest> waiting() {
    return turns.waiting();
  }

  /// What the model would be offered now, by the rules.
  public Offer offer() {
    return agent.executor().loop().offer(session);
  }

  /// Why the rules would not let a call of that tool run now, the rest of a sentence; null where
  /// they would.
  public @Nullable String refusal(String tool) {
    return agent.executor().loop().refusal(tool, session);
  }

  /// Where the loop stands; while a turn runs, where it stood before.
  public LoopState state() {
    return turns.state();
  }

  /// What was said and done so far, as the model would read it.
  public List<Message> history() {
    return turns.history();
  }

  /// How long another process still holds the conversation, if it does not renew that by going on;
  /// null where none holds it. Until then a turn here ends in a [ConversationConflictException].
  public @Nullable Duration held() {
    return session.lease().held(open.seen());
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
