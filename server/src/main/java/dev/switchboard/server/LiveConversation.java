package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.check.Checked;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationDirectory;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationQueue.Announcement.Topic;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.loop.Input;
import dev.switchboard.model.Message;
import dev.switchboard.mount.Principal;
import dev.switchboard.server.TurnSlot.Taken;
import dev.switchboard.server.access.Problem;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A conversation that is open in the server: the operations of its clients, whether its turns run
/// here or in workers.
///
/// Thread-safe.
final class LiveConversation {
  private final ServedAgent served;
  private final Agent agent;
  private final String id;
  private final ConversationStore store;
  private final @Nullable String principal;
  private final @Nullable Instant started;
  private final Feed feed;
  private final HandlerRequests ofHandlers = new HandlerRequests();
  private final TurnHost turns;
  private final AcceptedMessages accepted;
  private volatile long used;

  /// @param stored the conversation in the store
  LiveConversation(
      ServedAgent served, ConversationDirectory.Summary stored, ConversationOptions options) {
    this.served = served;
    id = stored.id();
    agent = served.agent();
    store = served.store();
    principal = stored.header().principal();
    started = stored.started();
    ConversationQueue queue = served.queue();
    ConversationOptions own =
        options.withPrincipal(stored.header().principal()).withApprover(ofHandlers);
    feed =
        new Feed(
            id,
            store,
            stored.events(),
            queue == null ? null : () -> queue.standing(List.of(id)).get(id));
    turns = queue == null ? here(own) : ofWorkers(own, queue);
    accepted = new AcceptedMessages(id, store, turns);
    touch();
  }

  private TurnHost here(ConversationOptions options) {
    return new LocalTurns(
        id,
        agent,
        owner(),
        feed,
        options.withLog(event -> {
          feed.add(event);
          served.handleStored(id, event);
        }),
        this::changed,
        () -> served.conversations().close(this));
  }

  /// The feed also reads from the store what this process adds.
  private TurnHost ofWorkers(ConversationOptions options, ConversationQueue queue) {
    return new WorkerTurns(
        id,
        agent,
        owner(),
        store,
        queue,
        feed,
        options.withLog(event -> served.counts(id, event)),
        this::changed);
  }

  private TurnSlot.Owner owner() {
    return new TurnSlot.Owner(served.room(), principal == null ? "" : principal);
  }

  private void changed() {
    touch();
    served.changed(id);
  }

  /// Notes that it is used now.
  void touch() {
    used = agent.time().nanos();
  }

  /// How long it was not used, in nanoseconds.
  long unused() {
    return agent.time().nanos() - used;
  }

  ServedAgent served() {
    return served;
  }

  String id() {
    return id;
  }

  /// Its owner, null for none.
  @Nullable String principal() {
    return principal;
  }

  /// Whether it is that conversation, not a deleted one with the same id, nor closed by another
  /// host.
  boolean isOf(ConversationDirectory.Summary stored) {
    return Objects.equals(principal, stored.header().principal())
        && Objects.equals(started, stored.started())
        && !turns.isClosed();
  }

  ConversationStore store() {
    return store;
  }

  /// The messages that it has accepted.
  AcceptedMessages accepted() {
    return accepted;
  }

  Feed feed() {
    return feed;
  }

  /// The open conversation; it is not closed by the caller.
  Conversation conversation() {
    return turns.conversation();
  }

  /// Runs work on the conversation outside a turn.
  <T extends @Nullable Object> T in(Function<Conversation, T> work) {
    return turns.in(work);
  }

  /// The number of bytes of files that it has in memory.
  long fileBytes() {
    return turns.fileBytes();
  }

  /// Whether a turn runs or is about to.
  boolean isRunning() {
    return turns.isRunning();
  }

  /// Whether a turn runs in this process.
  boolean isRunningHere() {
    return turns.isRunningHere();
  }

  /// The unanswered requests.
  List<ConsentRequest> waiting() {
    return turns.waiting();
  }

  /// The requests of handlers whose calls run.
  HandlerRequests ofHandlers() {
    return ofHandlers;
  }

  /// Begins a turn with a message of the user, which is stored from then on; returns the number of
  /// the latest event before it. For a message that was delivered before, it is the earlier number.
  ///
  /// @param by whose request it is: the owner's, or that of an operator who acts for the owner
  /// @param input the id of the message: one delivered twice counts once
  /// @throws Problem when another message has that id, a turn runs, a request waits for an answer,
  ///   or the message is not stored
  long say(Principal by, String input, Message.User said) {
    return say(by, input, said, null);
  }

  /// As the other, for a client that may name the turn.
  long say(Principal by, String input, Message.User said, @Nullable String run) {
    Taken earlier = accepted.equal(input, said);
    if (earlier != null) {
      return known(earlier);
    }
    try {
      turns.awaitEnding();
      if (!agent.deniesPending() && !isRunning()) {
        checkNothingWaits();
      }
      if (!said.files().isEmpty()) {
        checkRoom(said.files());
      }
      return turns.say(new Input.Said(input, said, run, by.actor()));
    } catch (Problem problem) {
      // It may have been sent twice at once, also to another server.
      Taken meanwhile = accepted.equal(input, said);
      if (meanwhile == null) {
        throw problem;
      }
      return known(meanwhile);
    }
  }

  /// The number of the latest event before a message that was delivered before, perhaps to another
  /// server: whether its turn runs is looked up before its stream can end.
  private long known(Taken message) {
    feed.noteRemoteEvents(true);
    return message.after();
  }

  private void checkRoom(List<Message.Attachment> files) {
    String full = in(conversation -> conversation.noRoomFor(files));
    if (full != null) {
      throw Problem.tooLarge(413, full);
    }
  }

  /// Waits for the end of a turn to be stored, which happens a moment after clients have read it.
  void awaitEnding() {
    turns.awaitEnding();
  }

  private void checkNothingWaits() {
    List<ConsentRequest> waiting = waiting();
    if (!waiting.isEmpty()) {
      String ids = String.join("', '", waiting.stream().map(ResponseBodies::qualified).toList());
      throw Problem.of(
          409, "consent_pending", "Answer the request for consent to '" + ids + "' first.");
    }
  }

  /// Sends the agent's first message, if it has one and the conversation has not begun.
  void greet() {
    try {
      boolean unused = turns.greet() && turns.joinHere(TurnHost.STOPPING);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Prevents turns here from now on, with that answer, and ends the running one.
  ///
  /// @throws Problem `conversation_busy` when it does not end in time; then nothing has changed
  void end(Supplier<Problem> answer) {
    turns.refuse(answer);
    try {
      // A host may have a session that holds the conversation only while calls run.
      TurnHost.awaitEnd(most -> agent.endLent(id, most));
      turns.cancelTurn();
      TurnHost.awaitEnd(turns::awaitFree);
    } catch (Problem busy) {
      turns.refuseNone();
      throw busy;
    }
  }

  /// Prevents turns here from now on, and ends its streams, which clients resume elsewhere.
  void drain() {
    turns.refuse(
        () -> Problem.of(503, "draining", "The server ends.").retryAfter(TurnHost.BUSY_RETRY));
    feed.close();
  }

  /// Begins a call by a person; returns the number of the latest event before it.
  ///
  /// @throws Problem as [#say]
  long call(Principal by, ToolCall call) {
    awaitEnding();
    checkNothingWaits();
    long size = call.arguments().text().length();
    return turns.run(
        call.id(), size, conversation -> conversation.call(call, by.actor(), TurnHost::noOne));
  }

  /// Continues an interrupted turn, or one whose requests are answered, if it does not run.
  void resume() {
    turns.resume();
  }

  /// Whether a turn was interrupted here, and it is time to retry it.
  boolean isToBeTriedAgain() {
    return turns.isToBeTriedAgain();
  }

  /// Whether a turn was interrupted here, and has to be retried.
  boolean isBroken() {
    return turns.isBroken();
  }

  /// The faults of the changed arguments of an answer, by the schema of the tool; none if it
  /// changes none.
  List<Fault> faults(ToolCall call, Answer answer) {
    Tool tool = served.tools().find(call.name());
    return answer instanceof Answer.Approved approved
            && approved.arguments() != null
            && tool != null
            && tool.check(approved.arguments()) instanceof Checked.Refused refused
        ? refused.faults()
        : List.of();
  }

  /// Stores an answer to a request and continues the turn; returns the outcome of the request, null
  /// if there was none recently.
  ///
  /// @throws IllegalArgumentException when the changed arguments are not valid
  @Nullable ConsentAnswer decide(String request, Answer answer) {
    ConsentAnswer outcome = storeAnswer(request, answer);
    if (outcome != null) {
      resume();
    }
    return outcome;
  }

  /// As [#decide], without continuing the turn.
  @Nullable ConsentAnswer storeAnswer(String request, Answer answer) {
    return turns.decide(request, answer);
  }

  /// Cancels the running or waiting turn: its requests are denied.
  ///
  /// @throws Problem `conversation_busy` when another process continues it that cannot be notified
  void cancel(String by) {
    try {
      if (!agent.cancelLent(id, by)) {
        turns.cancel(by);
      }
    } catch (ConversationConflictException e) {
      throw TurnHost.elsewhere();
    }
  }

  /// Cancels the running turn and waits for its end, at most that long.
  void cancelTurn(Duration most) throws InterruptedException {
    turns.cancelTurn();
    boolean unused = turns.join(most);
  }

  /// The result of that call, null if it has none.
  @Nullable Json result(String call) {
    Event.Logged settled = store.event(id, "settled/" + call);
    return settled == null ? null : Json.of(settled.event().tree().path("payload"));
  }

  /// Waits for the work in this process, at most that long; returns whether it has ended.
  boolean join(Duration most) throws InterruptedException {
    return turns.joinHere(most);
  }

  /// Handles an announcement of another process.
  void handle(Topic topic) {
    switch (topic) {
      case EVENTS -> feed.noteRemoteEvents(false);
      case RESTED, DUE -> feed.noteRemoteEvents(true);
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
