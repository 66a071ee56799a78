package dev.switchboard.execution;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.consent.Demand;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The one door: every host hands every call in here, and gets exactly one result back, never an
/// exception.
///
/// Safe for use by several threads. A circuit breaker for each tool is shared by all conversations
/// of an executor.
public final class ToolExecutor {
  /// How deep tools may call tools.
  static final int MAX_DEPTH = 4;

  private final ToolRegistry tools;
  private final RuleBook book;
  private final Gate gate;
  private final Consents consents;
  private final Starter starter;
  private final LoopRules loop;
  private final Environment environment;

  ToolExecutor(ToolExecutorBuilder builder) {
    tools = builder.tools;
    Time time = builder.time;
    Services services = builder.services();
    book = new RuleBook(builder.rules, tools, builder.agent, new SteadyClock(time), services);
    gate = new Gate(tools, book);
    consents = new Consents(builder.approver, builder.consentTimeout, book, gate, time);
    environment =
        new Environment(
            time,
            builder.random,
            new Listeners(builder.listeners, tools, time),
            builder.exposeErrors,
            services,
            consents,
            this::nested);
    starter = new Starter(new Breakers(), book, environment);
    loop = new LoopRules(tools, book, this::execute);
  }

  /// An executor of these tools, without rules and with nobody to ask for consent.
  ///
  /// @throws IllegalArgumentException when two have the same name
  public static ToolExecutor of(Tool... tools) {
    return builder().tools(List.of(tools)).build();
  }

  /// An executor to set up.
  public static ToolExecutorBuilder builder() {
    return new ToolExecutorBuilder();
  }

  /// The one result of a call that stands alone: no conversation, no duplicates, no events.
  public ToolResult execute(ToolCall call) {
    return execute(call, ToolSession.alone());
  }

  /// The one result of a call in a conversation: the stages in order.
  public ToolResult execute(ToolCall call, ToolSession session) {
    return execute(session.arrive(call, Arrival.Origin.MODEL, tools));
  }

  private ToolResult execute(Arrival arrival) {
    Admission admission = reserve(admit(arrival));
    Outcome outcome = run(admission);
    return finish(arrival, outcome);
  }

  /// The results of the calls of one round, in their order. Calls of tools that may overlap run
  /// side by side; any other waits for those before it and holds up those after it. Each is
  /// recorded and shown as soon as it is done. Where a person has to agree, the approver is asked
  /// and waited for.
  public List<ToolResult> executeAll(List<ToolCall> calls, ToolSession session) {
    return inBatches(calls, session, this::run, this::settle);
  }

  /// The same without waiting for anybody: a call that needs a person's consent is left pending, a
  /// value of the session's, until [#answer] or [#expire] settles it.
  public List<CallStep> submitAll(List<ToolCall> calls, ToolSession session) {
    return inBatches(calls, session, this::runOrPark, this::step);
  }

  private <S> List<S> inBatches(
      List<ToolCall> calls,
      ToolSession session,
      Function<Admission, Outcome> run,
      BiFunction<Arrival, Outcome, S> settle) {
    List<S> steps = new ArrayList<>(calls.size());
    for (List<ToolCall> batch : Batches.of(calls, tools, book.rules())) {
      List<Part> parts = reserved(batch, session);
      steps.addAll(Batches.sideBySide(parts, Part::takesTime, part -> part.take(run, settle)));
      loop.afterBatch(parts.stream().map(Part::arrival).toList(), session);
    }
    return steps;
  }

  /// A call of a round, and whether it may run.
  private record Part(Arrival arrival, Admission admission) {
    boolean takesTime() {
      return !(admission instanceof Admission.Refused);
    }

    <S> S take(Function<Admission, Outcome> run, BiFunction<Arrival, Outcome, S> settle) {
      try {
        return settle.apply(arrival, run.apply(admission));
      } catch (Throwable thrown) {
        ToolResult broken = Broken.result(arrival.call(), thrown);
        return settle.apply(arrival, new Outcome.NotStarted(broken));
      }
    }
  }

  private List<Part> reserved(List<ToolCall> batch, ToolSession session) {
    List<Arrival> arrivals = new ArrayList<>(batch.size());
    for (ToolCall call : batch) {
      arrivals.add(session.arrive(call, Arrival.Origin.MODEL, tools));
    }
    // In the order of the calls, so that the first ones get what is scarce.
    List<Part> parts = new ArrayList<>(batch.size());
    for (Arrival arrival : arrivals) {
      parts.add(new Part(arrival, reserve(admit(arrival))));
    }
    return parts;
  }

  /// Settles a pending call by a person's answer: it runs, with the arguments that the person may
  /// have put in, if the rules still allow it. Empty when no such request is open any more.
  ///
  /// @throws IllegalArgumentException when the arguments put in are not good ones; the request
  ///   stays open
  /// @throws RuntimeException when the store cannot be read or written; the call has not run
  public Optional<ToolResult> answer(String requestId, Answer answer, ToolSession session) {
    ConsentRequest request = consents.take(requestId, answer, session);
    return request == null ? Optional.empty() : Optional.of(answer(request, answer, session));
  }

  private ToolResult answer(ConsentRequest request, Answer answer, ToolSession session) {
    Arrival arrival = session.resume(request.call());
    Admission admission =
        guarded(arrival, () -> consents.answered(arrival, request.demands(), answer));
    ToolResult result = finish(arrival, run(reserve(admission)));
    Consents.close(request, session);
    return result;
  }

  /// Settles the pending calls whose time for an answer is over; those whose answer somebody took
  /// and never used are open again while it is not.
  public List<ToolResult> expire(ToolSession session) {
    consents.reopen(session);
    List<ToolResult> results = new ArrayList<>();
    for (String id : consents.overdue(session)) {
      ConsentRequest request = consents.takeOverdue(id, session);
      if (request != null) {
        ToolResult late = Refusal.consentTimeout(request.call());
        results.add(finish(session.resume(request.call()), new Outcome.NotStarted(late)));
        Consents.close(request, session);
      }
    }
    return results;
  }

  /// The result of a call that came in malformed, such as one without a name: refused, recorded and
  /// shown like any other.
  ///
  /// @param call as far as it can be shown
  /// @param why what is wrong with it, a clause
  public ToolResult refuse(ToolCall call, String why, ToolSession session) {
    Arrival arrival = session.arrive(call, Arrival.Origin.MODEL, tools);
    CallLog.Entry earlier = arrival.earlier();
    Admission admission =
        earlier == null
            ? new Admission.Refused(Refusal.malformed(why))
            : new Admission.Same(arrival, earlier);
    return finish(arrival, run(admission));
  }

  /// Whether the call may run: known, its arguments good, allowed, agreed to. Changes nothing.
  private Admission admit(Arrival arrival) {
    return guarded(arrival, () -> gate.admit(arrival));
  }

  /// Takes the call's place under its breaker and its rules, if it may run.
  private Admission reserve(Admission admission) {
    return admission instanceof Admission.Ready(var ticket)
        ? guarded(ticket.arrival(), () -> starter.reserve(ticket))
        : admission;
  }

  /// What came of an admitted call: the only step that touches the world.
  private Outcome run(Admission admission) {
    return switch (admission) {
      case Admission.Refused(var result) -> new Outcome.NotStarted(result);
      case Admission.Same(var arrival, var earlier) -> new Outcome.Same(arrival.call(), earlier);
      case Admission.NeedsConsent(var ticket, var demands) ->
          run(reserve(guarded(ticket.arrival(), () -> consents.ask(ticket, demands))));
      case Admission.Ready ready -> run(reserve(ready));
      case Admission.Reserved reserved -> start(reserved);
    };
  }

  private Outcome start(Admission.Reserved reserved) {
    return guarded(reserved.ticket(), () -> starter.run(reserved));
  }

  /// The same, but a call that needs a person's consent waits outside.
  private Outcome runOrPark(Admission admission) {
    return switch (admission) {
      case Admission.NeedsConsent(var ticket, var demands) -> park(ticket, demands);
      case Admission.Same(var arrival, var earlier) -> Consents.repeated(arrival, earlier);
      case Admission other -> run(other);
    };
  }

  /// The step's decision, also where a port breaks.
  private static Admission guarded(Arrival arrival, Supplier<Admission> step) {
    try {
      return step.get();
    } catch (Throwable thrown) {
      return new Admission.Refused(Broken.result(arrival.call(), thrown));
    }
  }

  private Outcome park(Ticket ticket, List<Demand> demands) {
    return guarded(ticket, () -> new Outcome.Waiting(consents.park(ticket, demands)));
  }

  /// The step's outcome, also where a port breaks.
  private static Outcome guarded(Ticket ticket, Supplier<Outcome> step) {
    try {
      return step.get();
    } catch (Throwable thrown) {
      return new Outcome.NotStarted(Broken.result(ticket.call(), thrown));
    }
  }

  private CallStep step(Arrival arrival, Outcome outcome) {
    return outcome instanceof Outcome.Waiting(var request)
        ? new CallStep.Pending(request)
        : new CallStep.Settled(settle(arrival, outcome));
  }

  private ToolResult settle(Arrival arrival, Outcome outcome) {
    ToolResult result = arrival.settle(outcome, book);
    environment.listeners().settled(arrival, outcome, result);
    return result;
  }

  /// Settles a call that is a round of its own.
  private ToolResult finish(Arrival arrival, Outcome outcome) {
    ToolResult result = settle(arrival, outcome);
    loop.afterRefusal(arrival, result);
    return result;
  }

  private ToolResult nested(RunningCall outer, ToolCall call) {
    return execute(outer.session().arrive(call, new Arrival.Origin.Outer(outer), tools));
  }

  /// What its rules say to the loop of a conversation.
  public LoopRules loop() {
    return loop;
  }

  /// The tools that it runs; may be changed at any time.
  public ToolRegistry tools() {
    return tools;
  }

  /// The dynamic face of the tool of that name, or null.
  public @Nullable DynamicTool dynamic(String tool) {
    Tool known = tools.find(tool);
    return known == null ? null : new DynamicTool(this, known.definition());
  }

  /// The state of a tool's circuit breaker now.
  public BreakerState breaker(String tool) {
    Tool known = tools.find(tool);
    return known == null
        ? BreakerState.NEW
        : starter.breakers().of(known).state(environment.time().nanos());
  }
}
