package dev.switchboard.execution;

import dev.switchboard.consent.Approver;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.rule.ToolRules;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The one door: every host hands every call in here, and gets exactly one result back, never an
/// exception.
///
/// Safe for use by several threads. A circuit breaker for each tool is shared by all conversations
/// of an executor.
public final class ToolExecutor {
  /// How deep tools may call tools.
  static final int MAX_DEPTH = 4;

  private static final System.Logger LOG = System.getLogger(ToolExecutor.class.getName());

  private final ToolRegistry tools;
  private final Gate gate;
  private final Approver approver;
  private final Breakers breakers = new Breakers();
  private final Environment environment;

  private ToolExecutor(Builder builder) {
    tools = builder.tools;
    gate = new Gate(builder.tools, builder.rules);
    approver = builder.approver;
    environment =
        new Environment(
            builder.time,
            builder.random,
            new Listeners(builder.listeners, tools, builder.time),
            builder.exposeErrors,
            this::nested);
  }

  /// An executor of these tools, without rules and with nobody to ask for consent.
  ///
  /// @throws IllegalArgumentException when two have the same name
  public static ToolExecutor of(Tool... tools) {
    return builder().tools(List.of(tools)).build();
  }

  /// An executor to set up.
  public static Builder builder() {
    return new Builder();
  }

  /// The one result of a call that stands alone: no conversation, no duplicates, no events.
  public ToolResult execute(ToolCall call) {
    return execute(call, ToolSession.alone());
  }

  /// The one result of a call in a conversation: the stages in order.
  public ToolResult execute(ToolCall call, ToolSession session) {
    return execute(call, session, null);
  }

  private ToolResult execute(ToolCall call, ToolSession session, @Nullable RunningCall outer) {
    Arrival arrival = session.arrive(call, outer);
    Admission admission = admit(arrival);
    Outcome outcome = run(admission);
    return settle(arrival, outcome);
  }

  /// The results of the calls of one round, in their order. Calls of tools that may overlap run
  /// side by side; any other waits for those before it and holds up those after it.
  public List<ToolResult> executeAll(List<ToolCall> calls, ToolSession session) {
    List<ToolResult> results = new ArrayList<>(calls.size());
    for (List<ToolCall> batch : Batches.of(calls, tools)) {
      List<Arrival> arrivals = batch.stream().map(call -> session.arrive(call, null)).toList();
      List<Admission> admissions = arrivals.stream().map(this::admit).toList();
      List<Outcome> outcomes = Batches.sideBySide(admissions, this::run);
      for (int i = 0; i < arrivals.size(); i++) {
        results.add(settle(arrivals.get(i), outcomes.get(i)));
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
    Arrival arrival = session.arrive(call, null);
    CallLog.Entry earlier = arrival.earlier();
    Admission admission =
        earlier == null
            ? new Admission.Refused(Refusal.malformed(why))
            : new Admission.Same(call, earlier);
    return settle(arrival, run(admission));
  }

  /// Whether the call may run: known, its arguments good, allowed. Changes nothing.
  private Admission admit(Arrival arrival) {
    try {
      return gate.admit(arrival);
    } catch (Throwable thrown) {
      return new Admission.Refused(broken(arrival.call(), thrown));
    }
  }

  /// What came of an admitted call: the only step that touches the world.
  private Outcome run(Admission admission) {
    return switch (admission) {
      case Admission.Refused(var result) -> new Outcome.NotStarted(result);
      case Admission.Same(var call, var earlier) -> new Outcome.Same(call, earlier);
      case Admission.NeedsConsent(var ticket) -> guarded(ticket, this::ask);
      case Admission.Ready(var ticket) -> guarded(ticket, this::start);
    };
  }

  /// The step's outcome, also where the approver or another port breaks.
  private static Outcome guarded(Ticket ticket, Function<Ticket, Outcome> step) {
    try {
      return step.apply(ticket);
    } catch (Throwable thrown) {
      return new Outcome.NotStarted(broken(ticket.call(), thrown));
    }
  }

  private static ToolResult broken(ToolCall call, Throwable thrown) {
    LOG.log(Level.WARNING, "a call of tool '%s' broke".formatted(call.name()));
    LOG.log(Level.DEBUG, "a call broke", thrown);
    return Refusal.broken(call, thrown);
  }

  private Outcome ask(Ticket ticket) {
    if (ticket.arrival().outer() != null) {
      // The person agreed to the outer call, not to what its tool makes of it.
      return new Outcome.NotStarted(Refusal.noApprover(ticket.call()));
    }
    return switch (approver.ask(ticket.call(), ticket.tool().definition())) {
      case Approver.Answer.Approved() -> start(ticket);
      case Approver.Answer.Denied(var reason) ->
          new Outcome.NotStarted(Refusal.consentDenied(ticket.call(), reason));
      case Approver.Answer.Nobody() -> new Outcome.NotStarted(Refusal.noApprover(ticket.call()));
    };
  }

  private Outcome start(Ticket ticket) {
    CircuitBreaker breaker = breakers.of(ticket.tool());
    long now = environment.time().nanos();
    return switch (breaker.acquire(now)) {
      case CircuitBreaker.Open(var retryAfter) ->
          new Outcome.NotStarted(Refusal.circuitOpen(ticket.call(), retryAfter));
      case CircuitBreaker.Permit permit -> start(ticket, now, breaker, permit);
    };
  }

  private Outcome start(
      Ticket ticket, long now, CircuitBreaker breaker, CircuitBreaker.Permit permit) {
    Outcome.Health health = Outcome.Health.UNKNOWN;
    long end = now;
    try {
      Outcome.Ran outcome = new RunningCall(ticket, environment, now).run();
      health = outcome.health();
      end = now + outcome.nanos();
      return outcome;
    } finally {
      // Whatever breaks, a probe gives its place back.
      breaker.record(permit, health, end);
    }
  }

  private ToolResult settle(Arrival arrival, Outcome outcome) {
    ToolResult result = arrival.settle(outcome);
    environment.listeners().settled(arrival, outcome, result);
    return result;
  }

  private ToolResult nested(RunningCall outer, ToolCall call) {
    return execute(call, outer.session(), outer);
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
    return known == null ? BreakerState.NEW : breakers.of(known).state(environment.time().nanos());
  }

  /// An executor in the making.
  public static final class Builder {
    private final List<Tool> more = new ArrayList<>();
    private ToolRegistry tools = new ToolRegistry();
    private ToolRules rules = ToolRules.NONE;
    private Approver approver = Approver.NOBODY;
    private Time time = Time.SYSTEM;
    private RandomGenerator random = RandomGenerator.getDefault();
    private final List<ExecutionListener> listeners = new ArrayList<>();
    private boolean exposeErrors;

    private Builder() {}

    /// Adds these tools.
    public Builder tools(Tool... added) {
      return tools(List.of(added));
    }

    /// Adds these tools.
    public Builder tools(List<Tool> added) {
      more.addAll(added);
      return this;
    }

    /// Adds the tools to that registry, which may go on changing.
    public Builder registry(ToolRegistry registry) {
      tools = registry;
      return this;
    }

    /// Holds the calls to these rules.
    public Builder rules(ToolRules kept) {
      rules = kept;
      return this;
    }

    /// Asks there for consent.
    public Builder approver(Approver asked) {
      approver = asked;
      return this;
    }

    /// Goes by that clock.
    public Builder time(Time clock) {
      time = clock;
      return this;
    }

    /// Draws the jitter of pauses from there; used by several threads, one at a time.
    public Builder random(RandomGenerator generator) {
      random = generator;
      return this;
    }

    /// Tells that listener what happens.
    public Builder listener(ExecutionListener listener) {
      listeners.add(listener);
      return this;
    }

    /// Shows the model the message of every exception: for development only.
    public Builder exposeErrors(boolean exposed) {
      exposeErrors = exposed;
      return this;
    }

    /// The executor.
    ///
    /// @throws IllegalArgumentException when two tools have the same name
    public ToolExecutor build() {
      more.forEach(tools::register);
      more.clear();
      return new ToolExecutor(this);
    }
  }
}
