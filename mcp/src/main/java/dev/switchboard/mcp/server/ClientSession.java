package dev.switchboard.mcp.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.LiveSession;
import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// The conversation of one client's calls, or of one principal's if clients have no sessions. Rules
/// and budgets apply in it, and its id identifies calls that wait for a person.
///
/// Thread-safe.
final class ClientSession implements AutoCloseable {
  static final String STATUS = "approval_status";

  private static final String STATUS_PARAMETERS =
      """
      {"type": "object",
       "properties": {"id": {"type": "string", "description": "the id that the call's result named"}},
       "required": ["id"]}\
      """;

  private final Agent agent;
  private final String id;
  private final ConversationOptions options;
  private final Consumer<ClientSession> ended;
  private final ReentrantLock opening = new ReentrantLock();
  private volatile LiveSession live;
  private final Map<String, Consumer<String>> hints = new ConcurrentHashMap<>(); // by calls
  private final Map<String, Thread> running = new ConcurrentHashMap<>(); // by requests
  private final Map<String, Long> subscribed = new ConcurrentHashMap<>();
  private volatile long usedAt;

  /// @param id of the conversation
  /// @param ended is called when the conversation is to be deleted, and ends this session
  ClientSession(
      Agent agent, String id, ConversationOptions options, Consumer<ClientSession> ended) {
    this.agent = agent;
    this.id = id;
    this.options = options.withTools(status());
    this.ended = ended;
    live = open();
  }

  /// Opens the conversation, which is held only while calls run in it.
  private LiveSession open() {
    LiveSession opened = agent.live(id, options, this::show);
    opened.session().host().makeCallsTurns(); // clients do not begin turns
    opened.lend(this::cancel, () -> ended.accept(this));
    return opened;
  }

  /// Works in the conversation; in the stored one if another process has continued or deleted it.
  private <T> T in(Function<LiveSession, T> work) {
    LiveSession current = live;
    try {
      return work.apply(current);
    } catch (ConversationConflictException e) {
      return work.apply(reopened(current));
    }
  }

  private LiveSession reopened(LiveSession outdated) {
    opening.lock();
    try {
      if (live.equals(outdated)) {
        outdated.leave();
        live = open();
      }
      return live;
    } finally {
      opening.unlock();
    }
  }

  /// Whose session it is.
  String principal() {
    return live.session().principal();
  }

  /// The id of the conversation.
  String id() {
    return id;
  }

  /// When it was last used, in nanoseconds of the clock.
  long usedAt() {
    return usedAt;
  }

  /// Whether calls run in it.
  boolean isBusy() {
    return !running.isEmpty();
  }

  void used(long nanos) {
    usedAt = nanos;
  }

  /// The resources whose changes the client subscribed to: the versions that it knows, by URI.
  Map<String, Long> subscribed() {
    return subscribed;
  }

  /// The tools that the rules allow now.
  List<ToolDefinition> allowed() {
    return live.rules().stated().tools();
  }

  /// All tools except forbidden ones.
  List<ToolDefinition> tools() {
    return live.rules().definitions();
  }

  /// The agent's prompt.
  String instructions() {
    return live.instructions();
  }

  /// Runs a call, or leaves it pending if it needs consent.
  ///
  /// @param request the key of its request
  /// @param onHint receives its progress
  CallStep run(String request, ToolCall call, Consumer<String> onHint) {
    hints.put(call.id(), onHint);
    running.put(request, Thread.currentThread());
    try {
      return in(line -> line.run(List.of(call)).getFirst());
    } finally {
      running.remove(request);
      hints.remove(call.id());
      boolean unused = Thread.interrupted();
    }
  }

  /// Cancels a call, if it runs and may be cancelled.
  ///
  /// @param request the key of its request
  void cancel(String request) {
    Thread caller = running.get(request);
    if (caller != null) {
      caller.interrupt();
    }
  }

  /// Cancels all calls that run and may be cancelled.
  private void cancel() {
    running.values().forEach(Thread::interrupt);
  }

  /// Answers a pending call; returns its result, empty if it no longer waits.
  Optional<ToolResult> answer(String request, Answer answer) {
    boolean unused = in(line -> line.answer(request, answer));
    return Optional.ofNullable(live.session().result(request));
  }

  /// Whether a call of that id waits for a person.
  private boolean isWaiting(String call) {
    return live.session().waiting().stream().anyMatch(request -> request.id().equals(call));
  }

  /// Whether a call of that id and that tool waits for a person.
  boolean isWaiting(String call, String tool) {
    return live.session().waiting().stream()
        .anyMatch(request -> request.id().equals(call) && request.call().name().equals(tool));
  }

  private void show(Event event) {
    if (event instanceof Event.LoaderHint hint) {
      Consumer<String> listener = hints.get(hint.taskId());
      if (listener != null) {
        listener.accept(hint.hint());
      }
    }
  }

  /// The tool that returns the state of a call that waited for a person.
  private Tool status() {
    return Tool.dynamic(STATUS, STATUS_PARAMETERS)
        .description("Returns the outcome of a call that needs a person's consent.")
        .mode(ToolMode.READ)
        .repeatLimit(0)
        .handler(arguments -> status(arguments.tree().path("id").stringValue()));
  }

  private Json status(String call) {
    live.settleDecided();
    ToolResult result = live.session().result(call);
    ObjectNode status = Codec.object().put("id", call);
    if (isWaiting(call)) {
      status.put("status", "waiting");
    } else if (result == null) {
      status.put("status", "unknown");
    } else {
      status.put("status", result.success() ? "done" : "failed").put("result", result.text());
    }
    return Json.of(status);
  }

  /// Releases the conversation as it is: requests wait on, for another session of it.
  void leave() {
    live.leave();
  }

  @Override
  public void close() {
    live.close();
  }
}
