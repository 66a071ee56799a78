package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.host.TurnRules;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.Decision;
import dev.switchboard.ruling.LoopControl;
import dev.switchboard.ruling.LoopDecision;
import dev.switchboard.ruling.Offer;
import dev.switchboard.ruling.RoundEnd;
import dev.switchboard.ruling.RuleSet;
import dev.switchboard.ruling.RuleState;
import dev.switchboard.ruling.RuleText;
import dev.switchboard.ruling.StartCall;
import dev.switchboard.ruling.ToolChecks;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.state.Ledger;
import dev.switchboard.state.WaitingCall;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rules as the loop of one conversation needs them: start calls, the offered tools, how the
/// loop continues after a round, and when it ends. Calls that a rule requires are executed here,
/// through the execution pipeline.
///
/// Thread-safe.
final class LoopRules implements TurnRules {
  private final RuleBook book;
  private final RoundRules round;
  private final Pipeline pipeline;
  private final ToolSession session;
  private final OpenWork open;
  private volatile CompiledRules compiled; // of the latest tools that were asked for

  LoopRules(RuleBook book, RoundRules round, Pipeline pipeline, ToolSession session) {
    this.book = book;
    this.round = round;
    this.pipeline = pipeline;
    this.session = session;
    open = session.open();
    compiled = book.compiled(session);
  }

  private CompiledRules compiled() {
    CompiledRules known = compiled;
    if (known.version() != book.version()) {
      known = book.compiled(session);
      compiled = known;
    }
    return known;
  }

  private RuleSet rules() {
    return compiled().rules();
  }

  @Override
  public Offer offer() {
    return book.offer(compiled(), session);
  }

  @Override
  public @Nullable String refusal(String tool) {
    ToolCall call = ToolCall.of(tool, Json.EMPTY_OBJECT);
    return switch (book.judge(rules().checks(tool), call, session)) {
      case Decision.Allowed allowed -> null;
      case Decision.Denied denied -> denied.sentence();
    };
  }

  @Override
  public List<ToolDefinition> definitions() {
    return compiled().everStated();
  }

  @Override
  public List<ToolDefinition> modelDefinitions() {
    return compiled().everRead();
  }

  @Override
  public Offer stated() {
    return book.stated(compiled(), session);
  }

  @Override
  public String text() {
    CompiledRules now = compiled();
    return now.empty() ? "" : RuleText.prompt(now.rules());
  }

  @Override
  public List<ToolResult> begin() {
    if (compiled().empty()) {
      return List.of();
    }
    List<StartCall> calls =
        LoopControl.startCalls(
            rules(),
            session.state().rules(),
            book.agent().uses(),
            name -> round.takesNothing(name, session));
    Set<String> called =
        session.log().own().keySet().stream().map(ToolCall::name).collect(Collectors.toSet());
    beginTimes();
    List<ToolResult> results =
        calls.stream()
            .filter(call -> round.takes(call, session) && !called.contains(call.tool()))
            .map(call -> round.make(call.tool(), call.args(), session))
            .toList();
    round.endStep(session);
    session.lease().checkHeld();
    return results;
  }

  /// Starts the clock of periodic tools in the first turn.
  private void beginTimes() {
    if (rules().hasPeriodic() && session.state().rules().turn().since() == null) {
      Instant now = book.now();
      session.change(state -> {
        RuleState next = state.rules().begun(now);
        return new Ledger.Step<>(state.withRules(next), next);
      });
    }
  }

  @Override
  public List<ToolResult> callDue() {
    List<String> due = due();
    if (due.isEmpty()) {
      return List.of();
    }
    List<ToolResult> results =
        due.stream()
            .filter(tool -> runsByItself(tool))
            .map(tool -> round.make(tool, Json.EMPTY_OBJECT, session))
            .toList();
    session.lease().checkHeld();
    return results;
  }

  /// The tools that are due, by priority.
  private List<String> due() {
    RuleSet rules = rules();
    return rules.hasPeriodic() ? book.due(rules, session) : List.of();
  }

  private boolean runsByItself(String name) {
    Tool tool = book.find(name, session);
    return tool != null
        && tool.definition().mode() == ToolMode.READ
        && round.takesNothing(name, session)
        && refusal(name) == null;
  }

  @Override
  public @Nullable String reminder(Offer offer) {
    if (compiled().empty()) {
      return null;
    }
    String start = LoopControl.startReminder(rules(), session.state().rules(), book.agent().uses());
    String due = dueReminder(offer);
    if (start != null && due != null) {
      return start + "\n" + due;
    }
    return start == null ? due : start;
  }

  private @Nullable String dueReminder(Offer offer) {
    List<String> all = due();
    if (all.isEmpty()) {
      return null;
    }
    Set<String> offered =
        offer.tools().stream().map(ToolDefinition::name).collect(Collectors.toSet());
    List<String> due = all.stream().filter(offered::contains).toList();
    return due.isEmpty() ? null : "Due now: call " + String.join(", ", due) + ".";
  }

  @Override
  public List<String> finish() {
    List<String> open =
        LoopControl.finishing(
            rules(), session.state().rules(), name -> round.takesNothing(name, session));
    open.forEach(tool -> round.make(tool, Json.EMPTY_OBJECT, session));
    return unmet();
  }

  @Override
  public LoopDecision decide(RoundEnd end) {
    return LoopControl.decide(
            rules(), session.state().rules(), end, name -> round.takesNothing(name, session))
        .decision();
  }

  @Override
  public void apply(LoopDecision decision, RoundEnd end) {
    if (rules().hasSteps()) {
      round.endStep(session);
    }
    if (decision instanceof LoopDecision.Remind remind) {
      session.change(state -> {
        RuleState reminded = state.rules().reminded(remind.strength());
        RuleState next = end.exit() == null ? reminded : reminded.holding(end.exit());
        return new Ledger.Step<>(state.withRules(next), next);
      });
    }
  }

  @Override
  public RoundEnd.@Nullable Exit exit(List<RequestedCall> calls, List<ToolResult> results) {
    for (int i = 0; i < results.size(); i++) {
      StopReason reason = RoundRules.exitBy(rules().checks(calls.get(i).name()), results.get(i));
      if (reason != null) {
        return new RoundEnd.Exit(reason, results.get(i).sentence());
      }
    }
    StopReason ended = session.state().exit();
    return ended == null ? null : new RoundEnd.Exit(ended, null);
  }

  @Override
  public void recover() {
    for (String id : session.state().running()) {
      SettledCall settled = open.isRunning(id) ? null : session.settledCall(id);
      if (settled != null) {
        ToolChecks checks = rules().checks(settled.call().name());
        book.ended(checks, settled.call(), session, settled.result(), true);
      }
    }
  }

  @Override
  public void replay(ToolCall call, ToolResult result, boolean own) {
    session.events().append(() -> called(call, own));
    ConsentAnswer answer = session.state().answer(call.id());
    if (answer != null) {
      session.events().append(() -> new Event.AgentEvent(ConsentAnswer.EVENT, answer.json()));
    }
    session.events().append(() -> new Event.ToolSettled(result, call.name()));
  }

  private Event called(ToolCall call, boolean own) {
    return Pipeline.called(call, own, compiled().tools().get(call.name()));
  }

  @Override
  public Map<ToolCall, ToolResult> settleLeft(@Nullable String since) {
    return new OrphanedCalls(pipeline).settle(since, session);
  }

  @Override
  public List<ConsentRequest> open() {
    Instant now = book.now();
    return session.store().state().latest().value().waiting().stream()
        .filter(waiting -> waiting.isOpen(now))
        .map(WaitingCall::request)
        .toList();
  }

  @Override
  public void setMayHaveBegun(boolean may) {
    open.setMayHaveBegun(may);
  }

  @Override
  public boolean beginsRequest(String key) {
    session.lease().checkHeld();
    boolean begins = !open.mayHaveBegun() || !pipeline.begunAgain().asksTooOften(key, session);
    if (begins) {
      open.setMayHaveBegun(false);
    }
    return begins;
  }

  @Override
  public void replay(ConsentRequest request) {
    session.events().append(() -> called(request.call(), false));
    session.events().append(() -> new Event.AgentEvent("consent_request", request.json()));
    ConsentRequests.logReopened(request, session);
  }

  @Override
  public List<String> outstanding() {
    if (compiled().empty()) {
      return List.of();
    }
    List<String> unmet = unmet();
    List<String> next = rules().next(session.state().rules());
    return unmet.isEmpty() && next.isEmpty()
        ? List.of()
        : Stream.concat(unmet.stream(), next.stream()).distinct().toList();
  }

  @Override
  public List<String> unmet() {
    return rules().unmet(session.state().rules());
  }

  @Override
  public @Nullable Tool tool(String name) {
    return book.find(name, session);
  }

  @Override
  public void limit(BiFunction<String, Tool, Duration> deadlines) {
    open.limit(deadlines);
  }
}
