package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.json.Json;
import dev.switchboard.server.access.Problem;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A conversation that is open in the server: its turns run on threads of their own, whoever reads
/// its events, and one at a time.
///
/// Safe for use by several threads.
final class LiveConversation {
  private static final System.Logger LOG = System.getLogger(LiveConversation.class.getName());
  private static final Duration BUSY_RETRY = Duration.ofSeconds(2);
  private static final Duration STOPPING = Duration.ofSeconds(10);
  private static final Consumer<Event> NO_ONE = event -> {};

  private final Agent agent;
  private final String id;
  private final ConversationStore store;
  private final Feed feed;
  private final Conversation conversation;
  private final HandlerRequests ofHandlers = new HandlerRequests();
  private final AtomicReference<@Nullable Thread> turn = new AtomicReference<>();
  private final Runnable changed;
  private volatile long used;

  /// @param shown is told of each event once it is in the feed
  /// @param changed is told when a turn began or came to rest
  LiveConversation(
      Agent agent,
      String id,
      ConversationStore store,
      ConversationOptions options,
      Consumer<Event.Logged> shown,
      Runnable changed) {
    this.agent = agent;
    this.id = id;
    this.store = store;
    this.changed = changed;
    ConversationStore.Summary known = store.conversation(id);
    feed = new Feed(id, store, known == null ? 0 : known.events());
    conversation =
        agent.conversation(
            id,
            options
                .withApprover(ofHandlers)
                .withLog(event -> {
                  feed.add(event);
                  shown.accept(event);
                }));
    touch();
  }

  /// Says that somebody has asked for it now.
  void touch() {
    used = agent.time().nanos();
  }

  /// How long nobody has asked for it, in nanoseconds.
  long unused() {
    return agent.time().nanos() - used;
  }

  Agent agent() {
    return agent;
  }

  String id() {
    return id;
  }

  ConversationStore store() {
    return store;
  }

  /// Whether an input of that id was taken lately.
  boolean knows(String input) {
    return conversation.state().knows(input);
  }

  Feed feed() {
    return feed;
  }

  Conversation conversation() {
    return conversation;
  }

  /// Whether a turn runs here.
  boolean isRunning() {
    return turn.get() != null;
  }

  /// The requests that no one has answered.
  List<ConsentRequest> waiting() {
    return conversation.waiting();
  }

  /// What handlers ask of a person, whose calls run.
  HandlerRequests ofHandlers() {
    return ofHandlers;
  }

  /// Begins a turn with a sentence of the user's; returns the number of the latest event before it.
  ///
  /// @param input the id of the sentence: one delivered twice counts once
  /// @throws Problem when a turn runs, or a request waits for an answer
  long say(String input, String text) {
    if (!agent.deniesPending() && !isRunning()) {
      checkNothingWaits();
    }
    return begin(() -> conversation.sayOnce(input, text, NO_ONE));
  }

  private void checkNothingWaits() {
    List<ConsentRequest> waiting = waiting();
    if (!waiting.isEmpty()) {
      String ids = String.join("', '", waiting.stream().map(one -> id + ":" + one.id()).toList());
      throw Problem.of(
          409, "consent_pending", "Answer the request for consent to '" + ids + "' first.");
    }
  }

  /// Says the agent's first words, where it has any and the conversation has not begun.
  void greet() {
    boolean unused =
        run(() -> {
          String words = conversation.greet(NO_ONE);
          return words == null ? null : new Turn.Reply(words);
        });
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
    checkNothingWaits();
    return begin(() -> conversation.call(call, NO_ONE));
  }

  /// Goes on with a turn that was cut off, or whose requests are answered, if it does not run.
  void resume() {
    if (conversation.held() == null) {
      boolean unused = run(() -> conversation.resume(NO_ONE));
    }
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

  /// Ends the turn that runs; where only requests wait, they are denied.
  void cancel(String by) {
    if (isRunning()) {
      conversation.cancel();
      return;
    }
    for (ConsentRequest request : waiting()) {
      ConsentAnswer unused =
          conversation.decide(request.id(), Answer.deny("the turn was cancelled").by(by));
    }
    resume();
  }

  private long begin(Supplier<@Nullable Turn> work) {
    long after = feed.last();
    if (conversation.held() != null || !run(work)) {
      throw Problem.of(409, "conversation_busy", "A turn runs in this conversation.")
          .retryAfter(BUSY_RETRY);
    }
    return after;
  }

  /// Runs a turn on a thread of its own; false where one runs.
  private boolean run(Supplier<@Nullable Turn> work) {
    Thread thread = Thread.ofVirtual().name("turn-" + id).unstarted(() -> toRest(work));
    if (!turn.compareAndSet(null, thread)) {
      return false;
    }
    touch();
    thread.start();
    changed.run();
    return true;
  }

  private void toRest(Supplier<@Nullable Turn> work) {
    boolean rested = false;
    try {
      Turn unused = work.get();
      rested = true;
    } catch (ConversationConflictException e) {
      LOG.log(Level.DEBUG, "another process has the conversation", e);
    } catch (RuntimeException e) {
      // What was stored of the turn is taken up again, when it is due.
      LOG.log(Level.WARNING, "a turn broke off: " + e.getClass().getName());
      LOG.log(Level.DEBUG, "a turn broke off", e);
    } finally {
      turn.set(null);
      touch();
      changed.run();
    }
    // An answer may have been kept while the turn came to rest.
    if (rested && conversation.hasDecided()) {
      resume();
    }
  }

  /// The result of that call among the events after that number; null where there is none.
  @Nullable Json resultAfter(long number, String call) {
    for (Event.Logged event : feed.after(number)) {
      JsonNode tree = event.event().tree();
      if (tree.path("type").asString("").equals("tool_result")
          && tree.path("payload").path("callId").asString("").equals(call)) {
        return Json.of(tree.path("payload"));
      }
    }
    return null;
  }

  /// Waits for the turn that runs, at most that long; whether none runs any more.
  boolean join(Duration most) throws InterruptedException {
    Thread running = turn.get();
    return running == null || running.join(most);
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
