package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.check.Checked;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Announcement.Topic;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.loop.Input;
import dev.switchboard.model.Message;
import dev.switchboard.server.TurnSlot.Taken;
import dev.switchboard.server.access.Problem;
import dev.switchboard.server.dialect.Parts;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.text.Surrogates;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A conversation that is open in the server: what its clients may do in it, whoever runs its turns
/// and reads its events.
///
/// Thread-safe.
final class LiveConversation {
  private static final Duration STOPPING = Duration.ofSeconds(10);

  private final ServedAgent served;
  private final Agent agent;
  private final String id;
  private final ConversationStore store;
  private final @Nullable String principal;
  private final @Nullable Instant started;
  private final Feed feed;
  private final HandlerRequests ofHandlers = new HandlerRequests();
  private final TurnHost turns;
  private volatile long used;

  /// @param stored as the store has it
  LiveConversation(
      ServedAgent served, ConversationStore.Summary stored, ConversationOptions options) {
    this.served = served;
    id = stored.id();
    agent = served.agent();
    store = served.store();
    principal = stored.header().principal();
    started = stored.started();
    ConversationStore.Queue queue = served.queue();
    ConversationOptions own = options.withApprover(ofHandlers);
    feed =
        new Feed(
            id,
            store,
            stored.events(),
            queue == null ? null : () -> queue.standing(List.of(id)).get(id));
    turns = queue == null ? here(own) : ofWorkers(own, queue);
    touch();
  }

  private TurnHost here(ConversationOptions options) {
    return new TurnsHere(
        id,
        agent,
        feed,
        options.withLog(event -> {
          feed.add(event);
          served.told(id, event);
        }),
        this::changed,
        () -> served.close(this));
  }

  /// The feed reads from the store what is told here, too.
  private TurnHost ofWorkers(ConversationOptions options, ConversationStore.Queue queue) {
    return new TurnsOfWorkers(
        id,
        agent,
        store,
        queue,
        feed,
        options.withLog(event -> served.counts(id, event)),
        this::changed);
  }

  private void changed() {
    touch();
    served.changed(id);
  }

  /// Says that someone has asked for it now.
  void touch() {
    used = agent.time().nanos();
  }

  /// How long no one has asked for it, in nanoseconds.
  long unused() {
    return agent.time().nanos() - used;
  }

  ServedAgent served() {
    return served;
  }

  String id() {
    return id;
  }

  /// Whom it belongs to, null for no one in particular.
  @Nullable String principal() {
    return principal;
  }

  /// Whether it is that conversation, and not one of the same id that was there before.
  boolean isOf(ConversationStore.Summary stored) {
    return Objects.equals(principal, stored.header().principal())
        && Objects.equals(started, stored.started());
  }

  ConversationStore store() {
    return store;
  }

  /// Whether a sentence of that id was taken before.
  boolean knows(String input) {
    return taken(input) != null;
  }

  private @Nullable Taken taken(String input) {
    for (TurnHost.Waiting one : turns.taken()) {
      if (one.sentence().input().equals(input)) {
        return one.sentence();
      }
    }
    Event.Logged said = store.event(id, "user/" + input);
    if (said == null) {
      return null;
    }
    String text = Parts.shown(said.event().tree().path("payload"));
    // The first comes with the beginning of the conversation, where nobody was greeted.
    return new Taken(input, text, said.number() == 2 ? 0 : said.number() - 1);
  }

  /// What a run of that id has begun with, null if there was none.
  @Nullable String beginOf(String run) {
    for (TurnHost.Waiting one : turns.taken()) {
      if (run.equals(one.run())) {
        return one.sentence().input();
      }
    }
    Event.Logged told = store.event(id, "run/" + run);
    return told == null ? null : told.event().tree().path("payload").path("input").asString("");
  }

  /// The id of the sentence whose turn is next, null if the log tells of all.
  @Nullable String next() {
    List<TurnHost.Waiting> taken = turns.taken();
    return taken.isEmpty() ? null : taken.getFirst().sentence().input();
  }

  Feed feed() {
    return feed;
  }

  /// The conversation, which stays open here.
  Conversation conversation() {
    return turns.conversation();
  }

  /// What is found in, or done to, the conversation without a turn.
  <T extends @Nullable Object> T in(Function<Conversation, T> work) {
    return turns.in(work);
  }

  /// How many bytes of files it has in memory.
  long fileBytes() {
    return turns.fileBytes();
  }

  /// Whether a turn runs, or is to.
  boolean isRunning() {
    return turns.isRunning();
  }

  /// Whether one runs in this process.
  boolean isRunningHere() {
    return turns.isRunningHere();
  }

  /// The requests that no one has answered.
  List<ConsentRequest> waiting() {
    return turns.waiting();
  }

  /// What handlers ask of a person, whose calls run.
  HandlerRequests ofHandlers() {
    return ofHandlers;
  }

  /// Begins a turn with a sentence of the user's, which is stored from now on; returns the number
  /// of the latest event before it. Of one that was delivered before it is the number of then.
  ///
  /// @param input the id of the sentence: one delivered twice counts once
  /// @throws Problem when another sentence was taken under that id, a turn runs, a request waits
  ///   for an answer, or the sentence is not stored
  long say(String input, Message.User said) {
    return say(input, said, null);
  }

  /// As the other, of a client that names the turn, where it does.
  long say(String input, Message.User said, @Nullable String run) {
    Taken known = same(input, said);
    if (known != null) {
      return known.after();
    }
    try {
      turns.awaitEnding();
      if (!agent.deniesPending() && !isRunning()) {
        checkNothingWaits();
      }
      if (!said.files().isEmpty()) {
        checkRoom(said.files());
      }
      return turns.say(new Input.Said(input, said, run));
    } catch (Problem problem) {
      // It may have been sent twice at once, also to another server.
      Taken meanwhile = same(input, said);
      if (meanwhile == null) {
        throw problem;
      }
      return meanwhile.after();
    }
  }

  /// The sentence of that id that was taken before, which is this one; null if none was.
  ///
  /// @throws Problem where it was another
  private @Nullable Taken same(String input, Message.User said) {
    Taken known = taken(input);
    if (known != null && !known.text().equals(Surrogates.repaired(said.shown()))) {
      throw Problem.of(409, "id_used", "Another sentence was sent before under this id or key.");
    }
    return known;
  }

  private void checkRoom(List<Message.Attachment> files) {
    String full = in(conversation -> conversation.noRoomFor(files));
    if (full != null) {
      throw Problem.tooLarge(413, full);
    }
  }

  /// The number of the event behind which the input of that id began its turn; -1 where it was not
  /// taken.
  long before(String input) {
    Taken taken = taken(input);
    return taken == null ? -1 : taken.after();
  }

  /// A turn of which clients have read the end is stored a moment later.
  void awaitEnding() {
    turns.awaitEnding();
  }

  private void checkNothingWaits() {
    List<ConsentRequest> waiting = waiting();
    if (!waiting.isEmpty()) {
      String ids = String.join("', '", waiting.stream().map(Answers::qualified).toList());
      throw Problem.of(
          409, "consent_pending", "Answer the request for consent to '" + ids + "' first.");
    }
  }

  /// Says the agent's first words, where it has any and the conversation has not begun.
  void greet() {
    try {
      boolean unused = turns.greet() && turns.joinHere(STOPPING);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Has no turn begin here any more, which is answered so from now on, and ends the one that runs.
  ///
  /// @throws Problem `conversation_busy` when it does not end in time, and all is as before
  void end(Supplier<Problem> answer) {
    turns.refuse(answer);
    try {
      stop();
    } catch (Problem busy) {
      turns.refuseNone();
      throw busy;
    }
  }

  /// Has no turn begin here any more, and ends its streams, so that they are taken up again
  /// elsewhere.
  void drain() {
    turns.refuse(
        () -> Problem.of(503, "draining", "The server ends.").retryAfter(TurnHost.BUSY_RETRY));
    feed.close();
  }

  /// Ends the turn that runs and waits for it.
  ///
  /// @throws Problem `conversation_busy` when it does not end in time
  private void stop() {
    turns.cancelTurn();
    try {
      if (!turns.awaitFree(STOPPING)) {
        throw Problem.of(409, "conversation_busy", "A call does not end.").retryAfter(STOPPING);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Problem.of(503, "draining", "The server ends.");
    }
  }

  /// Begins a call that a person makes; returns the number of the latest event before it.
  ///
  /// @throws Problem as [#say]
  long call(ToolCall call) {
    awaitEnding();
    checkNothingWaits();
    return turns.run(call.id(), conversation -> conversation.call(call, TurnHost::noOne));
  }

  /// Goes on with a turn that was cut off, or whose requests are answered, if it does not run.
  void resume() {
    turns.resume();
  }

  /// Whether a turn broke off here, and it is time to try again.
  boolean isToBeTriedAgain() {
    return turns.isToBeTriedAgain();
  }

  /// Whether a turn broke off here that has to be tried again.
  boolean isBroken() {
    return turns.isBroken();
  }

  /// What is wrong with the arguments that an answer puts in the place of the call's, by the schema
  /// of the tool; nothing if it puts none in.
  List<Fault> faults(ToolCall call, Answer answer) {
    Tool tool = served.tools().find(call.name());
    return answer instanceof Answer.Approved approved
            && approved.arguments() != null
            && tool != null
            && tool.check(approved.arguments()) instanceof Checked.Refused refused
        ? refused.faults()
        : List.of();
  }

  /// Keeps an answer to a request and continues the turn; what became of the request, null if there
  /// was none lately.
  ///
  /// @throws IllegalArgumentException when the arguments put in are not good ones
  @Nullable ConsentAnswer decide(String request, Answer answer) {
    ConsentAnswer outcome = keep(request, answer);
    if (outcome != null) {
      resume();
    }
    return outcome;
  }

  /// As [#decide], without that the turn continues.
  @Nullable ConsentAnswer keep(String request, Answer answer) {
    return turns.decide(request, answer);
  }

  /// Ends the turn that runs, or waits: its requests are denied.
  ///
  /// @throws Problem `conversation_busy` where another process continues it that cannot be told
  void cancel(String by) {
    turns.cancel(by);
  }

  /// Ends the turn that runs and waits for it, at most that long.
  void cancelTurn(Duration most) throws InterruptedException {
    turns.cancelTurn();
    boolean unused = turns.join(most);
  }

  /// The result of that call, null if it has none.
  @Nullable Json result(String call) {
    Event.Logged settled = store.event(id, "settled/" + call);
    return settled == null ? null : Json.of(settled.event().tree().path("payload"));
  }

  /// Waits for what runs in this process, at most that long; whether nothing does any more.
  boolean join(Duration most) throws InterruptedException {
    return turns.joinHere(most);
  }

  /// Hears what another process announces.
  void heard(Topic topic) {
    switch (topic) {
      case EVENTS -> feed.heard(false);
      case RESTED, DUE -> feed.heard(true);
      case ASKED -> {}
      case CANCEL -> turns.cancelHere();
    }
  }

  /// Closes it here; it can be opened again.
  void close() {
    feed.close();
    turns.close();
  }
}
