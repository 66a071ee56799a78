package dev.switchboard.execution;

import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.Decision;
import dev.switchboard.ruling.Offer;
import dev.switchboard.ruling.RoundEnd;
import dev.switchboard.ruling.RuleSet;
import dev.switchboard.ruling.RuleState;
import dev.switchboard.ruling.Tallies;
import dev.switchboard.ruling.ToolChecks;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Begun;
import dev.switchboard.state.Ledger;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolResult;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of an executor's agent, and their counts: starts and ends of calls.
///
/// Thread-safe: of two calls for the last place, one gets it.
final class RuleBook {
  private final List<ToolRule> ofAgent;
  private final ToolRegistry tools;
  private final Ledger<AgentState> agent;
  private final SteadyClock clock;
  private final ConsentDemands demands;
  private volatile CompiledRules compiled;

  RuleBook(
      List<ToolRule> ofAgent,
      ToolRegistry tools,
      Ledger<AgentState> agent,
      SteadyClock clock,
      Services services) {
    this.ofAgent = List.copyOf(ofAgent);
    this.tools = tools;
    this.agent = agent;
    this.clock = clock;
    demands = new ConsentDemands(agent, clock, services);
    compiled = CompiledRules.of(this.ofAgent, tools, List.of());
  }

  private CompiledRules current() {
    CompiledRules known = compiled;
    if (known.version() != tools.version()) {
      known = CompiledRules.of(ofAgent, tools, List.of());
      compiled = known;
    }
    return known;
  }

  /// Why the tool of that name was removed, null if unknown.
  @Nullable String goneReason(String name) {
    return tools.goneReason(name);
  }

  /// The rules in that conversation now, also for its own tools.
  CompiledRules compiled(ToolSession session) {
    ConversationTools own = session.tools();
    return own.some() ? own.compiled(ofAgent, tools) : current();
  }

  /// The tool of that name: the agent's, otherwise the conversation's own; null if there is none.
  @Nullable Tool find(String name, ToolSession session) {
    Tool known = tools.find(name);
    return known == null ? session.tools().find(name) : known;
  }

  /// Why a person has to agree to calls.
  ConsentDemands demands() {
    return demands;
  }

  RuleSet rules() {
    return current().rules();
  }

  RuleSet rules(ToolSession session) {
    return compiled(session).rules();
  }

  /// Changes whenever a tool is added, removed or replaced.
  long version() {
    return tools.version();
  }

  /// The offer as models read it.
  Offer offer(CompiledRules now, ToolSession session) {
    Offer offer = narrowed(now, session);
    return now.views() ? new Offer(now.offered(offer.tools()), offer.choice()) : offer;
  }

  /// The offer as clients with checks of their own read it.
  Offer stated(CompiledRules now, ToolSession session) {
    Offer offer = narrowed(now, session);
    return now.views() ? new Offer(now.stated(offer.tools()), offer.choice()) : offer;
  }

  private Offer narrowed(CompiledRules now, ToolSession session) {
    if (now.empty()) {
      return Offer.all(now.definitions());
    }
    RuleState state = session.state().rules();
    RuleState seen = session.callsAreTurns() ? state.nextTurn() : state;
    return now.rules().offer(now.definitions(), seen, uses(null), now());
  }

  /// All tools but forbidden ones, as clients with checks of their own read them.
  List<ToolDefinition> everStated() {
    return current().everStated();
  }

  List<ToolDefinition> everOffered(ToolSession session) {
    return compiled(session).everOffered();
  }

  List<ToolDefinition> everRead() {
    return current().everRead();
  }

  AgentState agent() {
    return agent.value();
  }

  Instant now() {
    return clock.now();
  }

  /// Whether the call may run now, without changing anything.
  ///
  /// @param checks of its tool
  Decision judge(ToolChecks checks, ToolCall call, ToolSession session) {
    if (checks.isEmpty()) {
      return Decision.ALLOWED;
    }
    if (session.state().running().contains(call.id())) {
      // A dead process had begun it; its start is counted.
      return Decision.ALLOWED;
    }
    Decision decision = evaluate(checks, call, session);
    return decision instanceof Decision.Denied && refreshed(session)
        ? evaluate(checks, call, session)
        : decision;
  }

  /// The model's call, with the arguments that rules set now.
  ToolCall prefilled(ToolCall call, CompiledRules now, ToolSession session) {
    return now.rules().setsArguments()
        ? now.rules().prefilled(call, session.state().rules(), uses(call.name()))
        : call;
  }

  /// The tools that are due by these rules, by priority.
  List<String> due(RuleSet rules, ToolSession session) {
    return rules.due(session.state().rules(), uses(null), now());
  }

  /// Ends a step of the model: its successes limit the next one.
  void endStep(ToolSession session) {
    if (rules(session).hasSteps() && session.state().rules().running() != null) {
      session.change(state -> {
        RuleState next = state.rules().stepEnded();
        return new Ledger.Step<>(state.withRules(next), next);
      });
    }
  }

  private Decision evaluate(ToolChecks checks, ToolCall call, ToolSession session) {
    Tallies ofAgent = checks.readsAgent() ? uses(call.name()) : agent.value().uses();
    return checks.evaluate(session.state().rules(), ofAgent, call, now());
  }

  /// The agent's counts. A start in the future, written by a fast clock, counts as one of now from
  /// this read on, for every process.
  ///
  /// @param tool the only one that is read, null for all
  private Tallies uses(@Nullable String tool) {
    Tallies known = agent.value().uses();
    if (known.byTool().isEmpty() || !known.isAhead(tool, now())) {
      return known;
    }
    try {
      return agent.change(state -> {
        Instant now = now();
        AgentState next =
            state.uses().isAhead(null, now) ? state.withUses(state.uses().notAfter(now)) : state;
        return new Ledger.Step<>(next, next.uses());
      });
    } catch (RuntimeException thrown) {
      Broken.warn("a start that lies ahead was not set right", thrown);
      return known.notAfter(now());
    }
  }

  /// Reads the agent's state again; whether it has changed.
  @SuppressWarnings("ReferenceEquality") // what was not read again is the same object
  private boolean refreshed(ToolSession session) {
    ConversationState known = session.state();
    AgentState knownOfAgent = agent.value();
    boolean here = session.refresh() != known;
    return agent.refresh() != knownOfAgent || here;
  }

  /// Judges the call again and, if it may run, counts its start, in one step.
  ///
  /// @param checks of its tool
  /// @param once the record of its beginning, if it may run only once
  CommonStart.Start reserve(
      ToolChecks checks, ToolCall call, @Nullable Begun once, ToolSession session) {
    CommonStart.Starting starting = new CommonStart.Starting(checks, call, once, session);
    if (checks.countedByAgent()) {
      return new CommonStart(starting, agent, clock).make();
    }
    if (checks.isEmpty() && !starting.isKept()) {
      return CommonStart.Start.UNCOUNTED;
    }
    AgentState ofAgent = checks.readsAgent() ? agent.refresh() : agent.value();
    return CommonStart.here(starting, ofAgent.uses(), now());
  }

  /// Withdraws the start of a call whose handler never began, or refused its arguments.
  void withdraw(CommonStart.Start start, ToolChecks checks, ToolCall call, ToolSession session) {
    if (checks.countedByAgent()) {
      session
          .store()
          .write(
              "a start that is taken back",
              () ->
                  agent.change(state ->
                      new Ledger.Step<>(
                          state.withUses(
                              state
                                  .uses()
                                  .withdrawn(call.name(), start.usesAt(), start.usesBefore())),
                          call)));
    }
    RuleState before = start.before();
    boolean kept = checks.matter() || session.state().hasBegun(call.id());
    if (kept && before != null) {
      session
          .store()
          .write(
              "a start that is taken back",
              () ->
                  session.change(state -> {
                    RuleState rules = state.rules();
                    RuleState next =
                        checks.counted() ? rules.withdrawn(call.name(), start.at(), before) : rules;
                    return new Ledger.Step<>(
                        state.ended(call.id(), next).notBegun(call.id()), call);
                  }));
    }
  }

  /// Counts the end of a started call, as soon as the store accepts it.
  ///
  /// @param ofLoop whether the call is the model's or the runtime's, so that its success may end
  ///   the loop
  void ended(
      ToolChecks checks, ToolCall call, ToolSession session, ToolResult result, boolean ofLoop) {
    boolean success = result.success();
    if (checks.countedByAgent()) {
      session
          .store()
          .write(
              "the end of a call",
              () ->
                  agent.change(state ->
                      new Ledger.Step<>(
                          state.withUses(state.uses().ended(call.name(), success)), success)));
    }
    if (checks.matter() || session.state().hasBegunWithin(call.id())) {
      int turn = session.state().turn();
      session
          .store()
          .write(
              "the end of a call",
              () ->
                  session.change(state -> {
                    if (isCounted(state, call, turn)) {
                      return new Ledger.Step<>(state, success);
                    }
                    RuleState rules = state.rules();
                    RuleState after = checks.counted() ? rules.ended(call.name(), success) : rules;
                    RuleState last = ofLoop ? checks.ended(after, call.name(), result) : after;
                    ConversationState next = state.ended(call.id(), last);
                    boolean mayEnd = success && ofLoop;
                    return new Ledger.Step<>(
                        mayEnd ? exited(checks, result, next, session) : next, success);
                  }));
    }
  }

  /// Whether the end was stored by an earlier write that seemed to fail.
  private static boolean isCounted(ConversationState state, ToolCall call, int turn) {
    return state.turn() == turn
        && !state.running().contains(call.id())
        && !state.hasBegunWithin(call.id());
  }

  /// The state after the exit of a success: its tool's own, or a delayed one.
  private ConversationState exited(
      ToolChecks checks, ToolResult result, ConversationState state, ToolSession session) {
    RoundEnd.Exit held = state.rules().held();
    if (!checks.exitsLoop() && held == null) {
      return state;
    }
    String message = checks.exitsLoop() ? result.message() : null;
    return exited(new RoundEnd.Exit(StopReason.TOOL_RULE, message), state, session);
  }

  /// The state after a request to end the turn, delayed while a tool is required first.
  private ConversationState exited(
      RoundEnd.Exit exit, ConversationState state, ToolSession session) {
    RoundEnd.Exit held = state.rules().held();
    return rules(session).unmet(state.rules()).isEmpty()
        ? state.exited(held == null ? exit.reason() : held.reason())
        : state.withRules(state.rules().holding(exit));
  }

  /// Ends the turn after a terminal result.
  void endTurn(ToolResult result, ToolSession session) {
    int turn = session.state().turn();
    RoundEnd.Exit exit = new RoundEnd.Exit(StopReason.TERMINAL_RESULT, result.sentence());
    session
        .store()
        .write(
            "the end of a turn",
            () ->
                session.change(now ->
                    new Ledger.Step<>(now.turn() == turn ? exited(exit, now, session) : now, now)));
  }
}
