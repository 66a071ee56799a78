package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.check.Checked;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.model.Message;
import dev.switchboard.server.TurnSlot.Taken;
import dev.switchboard.server.access.Problem;
import dev.switchboard.server.dialect.Parts;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.text.Surrogates;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A conversation that is open in the server: its turns run on threads of their own, whoever reads
/// its events, and one at a time.
///
/// Safe for use by several threads.
final class LiveConversation {
  private static final System.Logger LOG = System.getLogger(LiveConversation.class.getName());
  private static final Duration BUSY_RETRY = Duration.ofSeconds(2);
  private static final Duration STOPPING = Duration.ofSeconds(10);
  private static final Duration ASKING = Duration.ofSeconds(15);

  private final ServedAgent served;
  private final Agent agent;
  private final String id;
  private final ConversationStore store;
  private final @Nullable String principal;
  private final @Nullable Instant started;
  private final Feed feed;
  private final Conversation conversation;
  private final HandlerRequests ofHandlers = new HandlerRequests();
  private final TurnSlot turns;
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
    feed = new Feed(id, store, stored.events());
    conversation =
        agent.conversation(
            id,
            options
                .withApprover(ofHandlers)
                .withLog(event -> {
                  feed.add(event);
                  served.told(id, event);
                }));
    turns =
        new TurnSlot(id, agent.time(), feed, conversation::isCutOff, this::changed, this::rested);
    touch();
  }

  /// Takes the events of a turn, which the feed has from the log.
  private static void noOne(Event event) {}

  private void changed() {
    touch();
    served.changed(id);
  }

  private void rested(TurnSlot.Rest how) {
    switch (how) {
      case LOST -> served.close(this);
      case ENDED -> {
        if (conversation.hasDecided()) {
          // An answer was kept while the turn came to rest.
          resume();
        }
      }
      case BROKEN_OFF -> {}
    }
  }

  /// Says that somebody has asked for it now.
  void touch() {
    used = agent.time().nanos();
  }

  /// How long nobody has asked for it, in nanoseconds.
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
    Taken now = turns.taking();
    if (now != null && now.input().equals(input)) {
      return now;
    }
    Event.Logged said = store.event(id, "user/" + input);
    if (said == null) {
      return null;
    }
    String text = Parts.shown(said.event().tree().path("payload"));
    // The first comes with the beginning of the conversation, where nobody was greeted.
    return new Taken(input, text, said.number() == 2 ? 0 : said.number() - 1);
  }

  Feed feed() {
    return feed;
  }

  Conversation conversation() {
    return conversation;
  }

  /// Whether a turn runs here.
  boolean isRunning() {
    return turns.isRunning();
  }

  /// The requests that no one has answered.
  List<ConsentRequest> waiting() {
    return conversation.waiting();
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
    String text = said.shown();
    Taken known = taken(input);
    if (known != null && !known.text().equals(Surrogates.repaired(text))) {
      throw Problem.of(409, "id_used", "Another sentence was sent before under this id or key.");
    }
    if (known != null) {
      return known.after();
    }
    awaitEnding();
    if (!agent.deniesPending() && !isRunning()) {
      checkNothingWaits();
    }
    String full = conversation.noRoomFor(said.files());
    if (full != null) {
      throw Problem.tooLarge(413, full);
    }
    long after =
        begin(input, text, () -> conversation.sayOnce(input, said, run, LiveConversation::noOne));
    awaitStored(input, after);
    return after;
  }

  /// The number of the event behind which the input of that id began its turn; -1 where it was not
  /// taken.
  long before(String input) {
    Taken taken = taken(input);
    return taken == null ? -1 : taken.after();
  }

  private void awaitStored(String input, long after) {
    long cursor = after;
    try {
      while (!feed.isOver(cursor, true)) {
        for (Event.Logged event : feed.after(cursor)) {
          if (input.equals(event.run())) {
            return;
          }
          cursor = event.number();
        }
        feed.await(cursor, true, ASKING);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw Problem.of(503, "not_stored", "The turn could not be stored; try again.")
        .retryAfter(BUSY_RETRY);
  }

  /// A turn of which clients have read the end is stored a moment later.
  void awaitEnding() {
    List<Event.Logged> latest = feed.after(Math.max(0, feed.last() - 1));
    if (isRunning() && !latest.isEmpty() && Turns.isDone(latest.getLast())) {
      try {
        boolean unused = join(BUSY_RETRY);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
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
    boolean begun =
        turns.run(
            null,
            () -> {
              String words = conversation.greet(LiveConversation::noOne);
              return words == null ? null : new Turn.Reply(words);
            });
    try {
      boolean unused = begun && join(STOPPING);
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
    turns.refuse(() -> Problem.of(503, "draining", "The server ends.").retryAfter(BUSY_RETRY));
    feed.close();
  }

  /// Ends the turn that runs and waits for it.
  ///
  /// @throws Problem `conversation_busy` when it does not end in time
  void stop() {
    conversation.cancel();
    try {
      if (!join(STOPPING)) {
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
    return begin(call.id(), "", () -> conversation.call(call, LiveConversation::noOne));
  }

  /// Goes on with a turn that was cut off, or whose requests are answered, if it does not run.
  void resume() {
    if (conversation.held() == null) {
      boolean unused = turns.run(null, () -> conversation.resume(LiveConversation::noOne));
    }
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
  /// of the tool; nothing where it puts none in.
  List<Fault> faults(ToolCall call, Answer answer) {
    Tool tool = served.tools().find(call.name());
    return answer instanceof Answer.Approved approved
            && approved.arguments() != null
            && tool != null
            && tool.check(approved.arguments()) instanceof Checked.Refused refused
        ? refused.faults()
        : List.of();
  }

  /// Keeps an answer to a request and goes on with the turn; what became of the request, null where
  /// there was none lately.
  ///
  /// @throws IllegalArgumentException when the arguments put in are not good ones
  @Nullable ConsentAnswer decide(String request, Answer answer) {
    ConsentAnswer outcome = conversation.decide(request, answer);
    if (outcome != null) {
      resume();
    }
    return outcome;
  }

  /// Ends the turn that runs, or waits: its requests are denied.
  ///
  /// @throws Problem `conversation_busy` where another process goes on with it
  void cancel(String by) {
    if (conversation.held() != null) {
      throw Problem.of(409, "conversation_busy", "Another process goes on with it.")
          .retryAfter(BUSY_RETRY);
    }
    awaitEnding();
    if (isRunning() || waiting().isEmpty()) {
      conversation.cancel();
      resume();
    } else if (!turns.run(null, () -> conversation.cancelWaiting(by, LiveConversation::noOne))) {
      // An answer came first.
      conversation.cancel();
    }
  }

  private long begin(String input, String text, Supplier<@Nullable Turn> work) {
    turns.checkOpen();
    if (turns.isCutOff() && !isRunning()) {
      resume();
    }
    long after = feed.last();
    if (turns.isCutOff()
        || conversation.held() != null
        || !turns.run(new Taken(input, Surrogates.repaired(text), after), work)) {
      throw Problem.of(409, "conversation_busy", "A turn runs in this conversation.")
          .retryAfter(BUSY_RETRY);
    }
    return after;
  }

  /// The result of that call, null where it has none.
  @Nullable Json result(String call) {
    Event.Logged settled = store.event(id, "settled/" + call);
    return settled == null ? null : Json.of(settled.event().tree().path("payload"));
  }

  /// Waits for the turn that runs, at most that long; whether none runs any more.
  boolean join(Duration most) throws InterruptedException {
    return turns.join(most);
  }

  /// Closes it here; it can be opened again.
  void close() {
    feed.close();
    try {
      conversation.close();
    } catch (IllegalStateException e) {
      LOG.log(Level.WARNING, "results of a conversation are not stored");
    }
  }
}
