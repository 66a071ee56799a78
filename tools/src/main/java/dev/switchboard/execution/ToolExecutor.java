package dev.switchboard.execution;

import dev.switchboard.attempt.Attempts;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
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

/// The one door: every host hands every call in here, and gets exactly one result back, never an
/// exception.
///
/// Safe for use by several threads. A circuit breaker for each tool is shared by all conversations
/// of an executor.
public final class ToolExecutor implements AutoCloseable {
  /// The state of a submitted call.
  public sealed interface CallStep {
    /// It has its one result.
    record Settled(ToolResult result) implements CallStep {}

    /// A person was asked; [ToolExecutor#answer] or [ToolExecutor#expire] returns the result.
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

  /// An executor of these tools, without rules and without an approver.
  ///
  /// @throws IllegalArgumentException when two have the same name
  public static ToolExecutor of(Tool... tools) {
    return of(List.of(tools));
  }

  /// An executor of these tools, such as [dev.switchboard.handler.Tools#of] makes, without rules
  /// and without an approver.
  ///
  /// @throws IllegalArgumentException when two have the same name
  public static ToolExecutor of(List<Tool> tools) {
    return builder().tools(tools).build();
  }

  /// An executor to set up.
  public static ToolExecutorBuilder builder() {
    return new ToolExecutorBuilder();
  }

  /// The state of each tool source, such as an MCP server.
  public List<ToolRegistry.Source.State> sources() {
    return sources.stream().flatMap(source -> source.states().stream()).toList();
  }

  /// Closes the sources of its tools; calls of their tools fail from now on.
  @Override
  public void close() {
    sources.forEach(ToolRegistry.Source::close);
  }

  /// The one result of a call that stands alone: no conversation, no duplicates, no events.
  public ToolResult execute(ToolCall call) {
    return execute(call, ToolSession.alone());
  }

  /// The one result of a call in a conversation.
  public ToolResult execute(ToolCall call, ToolSession session) {
    Call made = pipeline.arrive(call, CallOrigin.MODEL, session);
    ToolResult result = pipeline.execute(made);
    if (!made.rules().empty()) {
      round.afterRefusal(made);
      round.endStep(session);
    }
    return result;
  }

  /// What a model would read of a call that stands alone: the answer as JSON, a plain text as a
  /// JSON string, a failure as an object with `error`.
  public Json executeJson(String tool, Json arguments) {
    Json text = Json.text(String.valueOf(execute(ToolCall.of(tool, arguments)).text()));
    try {
      text.check();
      return text;
    } catch (JsonException e) {
      return Json.of(text.text());
    }
  }

  /// The results of the calls of one round, in their order. Calls of tools that may overlap run
  /// side by side; any other waits for those before it and holds up those after it. Each is
  /// recorded and shown as soon as it is done. Where a person has to agree, the approver is asked
  /// and waited for.
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

  /// Like [#executeAll], but leaves calls that need consent pending in the session, until [#answer]
  /// or [#expire] settles them.
  public List<CallStep> submitAll(List<ToolCall> calls, ToolSession session) {
    return inBatches(calls, session, true);
  }

  private List<CallStep> inBatches(List<ToolCall> calls, ToolSession session, boolean parks) {
    List<CallStep> steps = new ArrayList<>(calls.size());
    for (List<ToolCall> batch : batches(calls, session)) {
      List<Call> admitted = admitted(batch, session);
      steps.addAll(Batches.sideBySide(admitted, Call::takesTime, call -> step(call, parks)));
      round.afterBatch(admitted, session);
    }
    if (areSettled(steps)) {
      round.endStep(session);
    }
    return steps;
  }

  /// One by one where their process has died: it is known then which of them ends it.
  private List<List<ToolCall>> batches(List<ToolCall> calls, ToolSession session) {
    if (session.open().isAgain()) {
      return calls.stream().map(List::of).toList();
    }
    Function<String, @Nullable Tool> find = name -> book.find(name, session);
    return Batches.of(calls, find, book.rules(session), session::repeats);
  }

  private static boolean areSettled(List<CallStep> steps) {
    for (CallStep step : steps) {
      if (step instanceof CallStep.Pending) {
        return false;
      }
    }
    return true;
  }

  private List<Call> admitted(List<ToolCall> batch, ToolSession session) {
    List<Call> calls = new ArrayList<>(batch.size());
    for (ToolCall call : batch) {
      calls.add(pipeline.arrive(call, CallOrigin.MODEL, session));
    }
    // One after the other, so that the first ones get what is scarce.
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
      call.broke(thrown);
      return settled(call);
    }
  }

  private CallStep settled(Call call) {
    ConsentRequest request = call.request();
    return request == null
        ? new CallStep.Settled(pipeline.settle(call))
        : new CallStep.Pending(request);
  }

  /// What a model is told of a call that is left pending where the talk goes on meanwhile, as on
  /// the phone; its one result follows.
  public static ToolResult pending(ToolCall call) {
    ToolResult told = Refusal.consentPending(call).toBuilder().callId(call.id()).build();
    return told.toBuilder().text(told.json().text()).build();
  }

  /// Settles a pending call by a person's answer: it runs, with the arguments that the person may
  /// have put in, if the rules still allow it. Empty when no such request is open any more.
  ///
  /// @throws IllegalArgumentException when the arguments put in are not good ones; the request
  ///   stays open
  /// @throws RuntimeException when the store cannot be read or written; the call has not run
  public Optional<ToolResult> answer(String requestId, Answer answer, ToolSession session) {
    ConsentRequest request = requests.take(requestId, answer, session);
    return request == null ? Optional.empty() : Optional.of(answer(request, answer, session));
  }

  private ToolResult answer(ConsentRequest request, Answer answer, ToolSession session) {
    Call call = pipeline.resume(request, session);
    pipeline.findOut(call);
    pipeline.runAnswered(call, request.demands(), answer);
    ToolResult result = pipeline.settle(call);
    call.abandonment().checkMade();
    round.afterRefusal(call);
    if (!call.isAbandoned()) {
      close(request, session);
    }
    return result;
  }

  /// Keeps a person's answer to a pending call and tells it; the call is settled by it when
  /// [#carryOut] is called, also by another process after this one has died. False when no such
  /// request is open any more.
  ///
  /// @throws IllegalArgumentException when the arguments put in are not good ones; the request
  ///   stays open
  /// @throws RuntimeException when the store cannot be read or written
  public boolean decide(String requestId, Answer answer, ToolSession session) {
    return requests.decide(requestId, answer, session);
  }

  /// Settles the pending calls whose answers were kept: they run, one after the other.
  ///
  /// @throws RuntimeException when the store cannot be read or written; a call that was not settled
  ///   has not run
  public List<ToolResult> carryOut(ToolSession session) {
    List<ToolResult> results = new ArrayList<>();
    for (WaitingCall waiting : requests.takeDecided(session)) {
      Answer answer = waiting.answer();
      if (answer != null) {
        results.add(answer(waiting.request(), answer, session));
      }
    }
    return results;
  }

  /// Closes requests whose calls have a result. Reopens those whose answers a dead host had taken,
  /// if this host is its only successor: their calls may have run.
  public void takeOver(ToolSession session) {
    ConsentRequests.closeSettled(session);
    if (session.lease().isLeft()) {
      requests.reopenLeft(session);
    }
  }

  /// Settles the pending calls whose time for an answer is over. A request whose answer was taken
  /// but never used is open again, unless it has expired; of a call that may run once only and had
  /// begun, it is found out first what became of it.
  public List<ToolResult> expire(ToolSession session) {
    List<ToolResult> results = new ArrayList<>();
    for (ConsentRequest request : requests.takeBegun(session)) {
      Call call = pipeline.resume(request, session);
      pipeline.findOut(call);
      if (call.isOpen()) {
        ConsentRequests.askAgain(request, session);
      } else if (!call.isAbandoned()) {
        results.add(pipeline.settle(call));
        close(request, session);
      }
    }
    requests.reopen(session);
    for (String id : requests.overdue(session)) {
      ConsentRequest request = requests.takeOverdue(id, session);
      if (request != null) {
        Call call = pipeline.resume(request, session);
        call.outcome(Consents.told(call, Refusal.consentTimeout(request.call())));
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

  /// The result of a call that came in malformed, such as one without a name: refused, recorded and
  /// shown like any other.
  ///
  /// @param call as far as it can be shown
  /// @param why what is wrong with it, a clause
  public ToolResult refuse(ToolCall call, String why, ToolSession session) {
    Call refused = pipeline.arrive(call, CallOrigin.MODEL, session);
    if (refused.isOpen()) {
      refused.outcome(Refusal.malformed(why));
    }
    return pipeline.settle(refused);
  }

  /// Rule queries for the loop of that conversation.
  public LoopRules rules(ToolSession session) {
    return new LoopRules(book, round, pipeline, session);
  }

  /// The guardrails of that conversation.
  public SessionGuards guards(ToolSession session) {
    return check.guards(session);
  }

  /// The tools that a model may ever be offered: those that are not forbidden, with their allowed
  /// operations.
  public List<ToolDefinition> definitions() {
    return book.everStated();
  }

  /// The tools of [#definitions()] in the form in which models read them.
  public List<ToolDefinition> modelDefinitions() {
    return book.everRead();
  }

  /// The rules in words, for the end of a model's prompt; empty without rules.
  public String rulesText() {
    return RuleText.prompt(book.rules());
  }

  /// The tools that it runs; may be changed at any time.
  public ToolRegistry tools() {
    return tools;
  }

  /// The state of a tool's circuit breaker now.
  public BreakerState breaker(String tool) {
    Tool known = tools.find(tool);
    return known == null
        ? BreakerState.NEW
        : BreakerState.of(reservations.breaker(known).state(time.nanos()));
  }

  /// Closes a tool's circuit breaker by hand; without effect where it is closed, or there is no
  /// such tool.
  public void closeBreaker(String tool) {
    Tool known = tools.find(tool);
    if (known != null) {
      reservations.breaker(known).reset();
    }
  }

  /// A circuit breaker at one moment.
  ///
  /// @param position closed, open or half-open
  /// @param consecutiveFailures calls that failed in a row
  /// @param retryAfter until a call may probe, zero unless open
  public record BreakerState(Position position, int consecutiveFailures, Duration retryAfter) {
    /// What a circuit breaker does with calls.
    public enum Position {
      /// Lets them through.
      CLOSED,
      /// Answers them itself.
      OPEN,
      /// Lets one through as a probe.
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
