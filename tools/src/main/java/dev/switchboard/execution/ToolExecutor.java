package dev.switchboard.execution;

import dev.switchboard.attempt.Attempts;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.host.TurnRules;
import dev.switchboard.guard.SessionGuards;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.ruling.RuleText;
import dev.switchboard.state.WaitingCall;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Executes tool calls. Every host passes every call to it, and gets exactly one result; a failure
/// is a result, not an exception.
///
/// Thread-safe. Each tool has one circuit breaker, shared by all conversations of the executor.
public final class ToolExecutor implements AutoCloseable {
  /// The state of a submitted call.
  public sealed interface CallStep {
    /// The call has its one result.
    record Settled(ToolResult result) implements CallStep {}

    /// The call waits for a person's consent; [ToolExecutor#answer] or [ToolExecutor#expire]
    /// returns its result.
    record Pending(ConsentRequest request) implements CallStep {}
  }

  private final ToolRegistry tools;
  private final List<ToolRegistry.Source> sources;
  private final RuleBook book;
  private final Reservations reservations;
  private final ConsentRequests requests;
  private final Pipeline pipeline;
  private final CallCheck check;
  private final RoundRules round;
  private final Time time;

  ToolExecutor(ToolExecutorBuilder builder) {
    tools = builder.tools;
    sources = List.copyOf(builder.sources);
    time = builder.time;
    Services services = builder.services();
    book = new RuleBook(builder.rules, tools, builder.agent, new SteadyClock(time), services);
    Listeners listeners = new Listeners(builder.listeners, book, time);
    check = new CallCheck(book, builder.guards(), listeners);
    requests = new ConsentRequests(book, check);
    Consents consents =
        new Consents(
            builder.approver, new ConsentPatience(builder.consentTimeout), book, check, time);
    reservations = new Reservations(book, time);
    Attempts.Settings attempts = new Attempts.Settings(time, builder.random, builder.exposeErrors);
    pipeline = new Pipeline(services, attempts, book, check, consents, reservations, listeners);
    round = new RoundRules(book, pipeline);
  }

  /// An executor of these tools, without rules or an approver.
  ///
  /// @throws IllegalArgumentException if two tools have the same name
  public static ToolExecutor of(Tool... tools) {
    return of(List.of(tools));
  }

  /// An executor of these tools, such as those of [dev.switchboard.handler.Tools#of], without rules
  /// or an approver.
  ///
  /// @throws IllegalArgumentException if two tools have the same name
  public static ToolExecutor of(List<Tool> tools) {
    return builder().tools(tools).build();
  }

  /// A builder without tools or rules.
  public static ToolExecutorBuilder builder() {
    return new ToolExecutorBuilder();
  }

  /// The state of each tool source, such as an MCP server.
  public List<ToolRegistry.Source.State> sources() {
    return sources.stream().flatMap(source -> source.states().stream()).toList();
  }

  /// Closes the tool sources; calls of their tools fail from now on.
  @Override
  public void close() {
    sources.forEach(ToolRegistry.Source::close);
  }

  /// The result of a call outside any conversation: ids may repeat, and no events are emitted.
  public ToolResult execute(ToolCall call) {
    return execute(call, new ToolSession());
  }

  /// The result of a call in a conversation; of a call that is delivered twice, the earlier result.
  public ToolResult execute(ToolCall call, ToolSession session) {
    Call arrived = pipeline.arrive(call, CallOrigin.MODEL, session);
    ToolResult result = pipeline.execute(arrived);
    if (!arrived.rules().empty()) {
      round.afterRefusal(arrived);
      round.endStep(session);
    }
    return result;
  }

  /// The result of a call outside any conversation, as a model reads it: the answer as JSON, plain
  /// text as a JSON string, a failure as an object with `error`.
  public Json executeJson(String tool, Json arguments) {
    Json text = Json.text(String.valueOf(execute(ToolCall.of(tool, arguments)).text()));
    try {
      text.check();
      return text;
    } catch (JsonException e) {
      return Json.of(text.text());
    }
  }

  /// The results of the calls of one round, in the order of the calls. Calls of tools with
  /// `parallel` run concurrently; any other call waits for those before it and delays those after
  /// it. Each result is logged and its event emitted as soon as the call ends. If a call needs
  /// consent, this waits for the approver.
  public List<ToolResult> executeAll(List<ToolCall> calls, ToolSession session) {
    List<ToolResult> results = new ArrayList<>(calls.size());
    for (CallStep step : inBatches(calls, session, false)) {
      switch (step) {
        case CallStep.Settled(ToolResult result) -> results.add(result);
        case CallStep.Pending(ConsentRequest request) ->
            throw new IllegalStateException("a call waits that was not to be parked");
      }
    }
    return results;
  }

  /// Like [#executeAll], but does not wait for people: a call that needs consent stays pending in
  /// the session until [#answer] or [#expire] settles it.
  public List<CallStep> submitAll(List<ToolCall> calls, ToolSession session) {
    return inBatches(calls, session, true);
  }

  private List<CallStep> inBatches(List<ToolCall> calls, ToolSession session, boolean parks) {
    List<CallStep> steps = new ArrayList<>(calls.size());
    for (List<ToolCall> batch : batches(calls, session)) {
      List<Call> admitted = admitted(batch, session);
      steps.addAll(
          Batches.sideBySide(admitted, call -> call.outcome() == null, call -> step(call, parks)));
      round.afterBatch(admitted, session);
    }
    if (areSettled(steps)) {
      round.endStep(session);
    }
    return steps;
  }

  /// If the process of these calls died, each is a batch: a call that kills its process is then
  /// identified.
  private List<List<ToolCall>> batches(List<ToolCall> calls, ToolSession session) {
    if (session.open().mayHaveBegun()) {
      return calls.stream().map(List::of).toList();
    }
    Function<String, @Nullable Tool> find = name -> book.find(name, session);
    return Batches.of(calls, find, book.rules(session), session::repeats);
  }

  private static boolean areSettled(List<CallStep> steps) {
    return steps.stream().noneMatch(CallStep.Pending.class::isInstance);
  }

  private List<Call> admitted(List<ToolCall> batch, ToolSession session) {
    List<Call> calls = new ArrayList<>(batch.size());
    for (ToolCall call : batch) {
      calls.add(pipeline.arrive(call, CallOrigin.MODEL, session));
    }
    // In order, so that the first calls get what is limited.
    calls.forEach(pipeline::admit);
    return calls;
  }

  private CallStep step(Call call, boolean parks) {
    try {
      pipeline.recover(call);
      if (parks) {
        pipeline.park(call);
      }
      pipeline.run(call);
      return settled(call);
    } catch (Throwable thrown) {
      call.fail(thrown);
      return settled(call);
    }
  }

  private CallStep settled(Call call) {
    ConsentRequest request = call.request();
    return request == null
        ? new CallStep.Settled(pipeline.settle(call))
        : new CallStep.Pending(request);
  }

  /// The preliminary result that a model reads of a pending call if the conversation continues
  /// meanwhile, as on the phone; the call's own result follows.
  public static ToolResult pending(ToolCall call) {
    ToolResult result = Refusal.consentPending(call).toBuilder().callId(call.id()).build();
    return result.toBuilder().text(result.json().text()).build();
  }

  /// Settles a pending call with a person's answer: an approved call runs, with the person's
  /// arguments if there are any, if the rules still allow it. Empty if no such request is open.
  ///
  /// @throws IllegalArgumentException if the person's arguments are not valid; the request stays
  ///   open
  /// @throws RuntimeException if the store cannot be read or written; the call has not run
  public Optional<ToolResult> answer(String requestId, Answer answer, ToolSession session) {
    ConsentRequest request = requests.take(requestId, answer, session);
    return request == null ? Optional.empty() : Optional.of(answer(request, answer, session));
  }

  private ToolResult answer(ConsentRequest request, Answer answer, ToolSession session) {
    Call call = pipeline.resume(request, session);
    pipeline.determineOutcome(call);
    pipeline.runAnswered(call, request.demands(), answer);
    ToolResult result = pipeline.settle(call);
    call.abandonment().checkMade();
    round.afterRefusal(call);
    if (!call.isAbandoned()) {
      close(request, session);
    }
    return result;
  }

  /// Stores a person's answer to a pending call and emits its event; [#settleDecided] settles the
  /// call, in this process or, if it dies, in another. False if no such request is open.
  ///
  /// @throws IllegalArgumentException if the person's arguments are not valid; the request stays
  ///   open
  /// @throws RuntimeException if the store cannot be read or written
  public boolean decide(String requestId, Answer answer, ToolSession session) {
    return requests.decide(requestId, answer, session);
  }

  /// Settles the pending calls whose answers [#decide] stored, one after the other; returns their
  /// results.
  ///
  /// @throws RuntimeException if the store cannot be read or written; a call that was not settled
  ///   has not run
  public List<ToolResult> settleDecided(ToolSession session) {
    List<ToolResult> results = new ArrayList<>();
    for (WaitingCall waiting : requests.takeDecided(session)) {
      Answer answer = waiting.answer();
      if (answer != null) {
        results.add(answer(waiting.request(), answer, session));
      }
    }
    return results;
  }

  /// Closes the requests of calls that have a result. If this host is the only successor of a dead
  /// one, also reopens the requests whose answers that host had taken: their calls may have run.
  public void takeOver(ToolSession session) {
    ConsentRequests.closeSettled(session);
    if (session.lease().isInherited()) {
      requests.reopenLeft(session);
    }
  }

  /// Settles the pending calls whose requests have expired, and returns their results. Reopens a
  /// request whose answer a dead process had taken, unless it has expired; if its at-most-once call
  /// had begun, determines the outcome of that call first.
  public List<ToolResult> expire(ToolSession session) {
    List<ToolResult> results = new ArrayList<>();
    for (ConsentRequest request : requests.takeBegun(session)) {
      Call call = pipeline.resume(request, session);
      pipeline.determineOutcome(call);
      if (call.isOpen()) {
        ConsentRequests.askAgain(request, session);
      } else if (!call.isAbandoned()) {
        results.add(pipeline.settle(call));
        close(request, session);
      }
    }
    requests.reopen(session);
    // Those of a conversation that was handed over expire in the process that continues it.
    List<String> overdue = session.lease().isSuspended() ? List.of() : requests.overdue(session);
    for (String id : overdue) {
      ConsentRequest request = requests.takeOverdue(id, session);
      if (request != null) {
        Call call = pipeline.resume(request, session);
        call.outcome(Consents.withBegun(call, Refusal.consentTimeout(request.call())));
        results.add(pipeline.settle(call));
        close(request, session);
      }
    }
    return results;
  }

  private void close(ConsentRequest request, ToolSession session) {
    ConsentRequests.close(request, session);
    round.endStepIfSettled(session);
  }

  /// The refusal of a malformed call, such as one without a name, logged and emitted like any
  /// result.
  ///
  /// @param call the call, as far as it could be read
  /// @param why what is wrong with it, a clause
  public ToolResult refuse(ToolCall call, String why, ToolSession session) {
    Call refused = pipeline.arrive(call, CallOrigin.MODEL, session);
    if (refused.isOpen()) {
      refused.outcome(Refusal.malformed(why));
    }
    return pipeline.settle(refused);
  }

  /// The rules as the loop of this conversation needs them; for the library's own hosts.
  public TurnRules rules(ToolSession session) {
    return new LoopRules(book, round, pipeline, session);
  }

  /// The guardrails of this conversation.
  public SessionGuards guards(ToolSession session) {
    return check.guards(session);
  }

  /// The tools that a model may ever be offered: those that no rule forbids, with their allowed
  /// operations.
  public List<ToolDefinition> definitions() {
    return book.everStated();
  }

  /// The tools of [#definitions()] in the form in which models read them.
  public List<ToolDefinition> modelDefinitions() {
    return book.everRead();
  }

  /// The rules as text for the end of a model's prompt; empty without rules.
  public String rulesText() {
    return RuleText.prompt(book.rules());
  }

  /// The registry of its tools, which may be changed at any time.
  public ToolRegistry tools() {
    return tools;
  }

  /// The present state of a tool's circuit breaker; closed if there is no such tool.
  public BreakerState breaker(String name) {
    Tool tool = tools.find(name);
    return tool == null
        ? BreakerState.NEW
        : BreakerState.of(reservations.breaker(tool).state(time.nanos()));
  }

  /// Closes a tool's circuit breaker; without effect if it is closed, or there is no such tool.
  public void closeBreaker(String name) {
    Tool tool = tools.find(name);
    if (tool != null) {
      reservations.breaker(tool).reset();
    }
  }

  /// The state of a circuit breaker at one moment.
  ///
  /// @param position closed, open or half-open
  /// @param consecutiveFailures the number of calls that failed in a row
  /// @param retryAfter the time until a call may run as a probe, zero unless open
  public record BreakerState(Position position, int consecutiveFailures, Duration retryAfter) {
    /// Whether a circuit breaker lets calls run.
    public enum Position {
      /// Calls run.
      CLOSED,
      /// Calls are refused.
      OPEN,
      /// One call runs as a probe.
      HALF_OPEN
    }

    static final BreakerState NEW = new BreakerState(Position.CLOSED, 0, Duration.ZERO);

    private static BreakerState of(CircuitBreaker.State now) {
      Duration left = now.left();
      if (left == null) {
        return new BreakerState(Position.CLOSED, now.failures(), Duration.ZERO);
      }
      Position position = left.isZero() ? Position.HALF_OPEN : Position.OPEN;
      return new BreakerState(position, now.failures(), left);
    }
  }
}
