package dev.switchboard.execution;

import dev.switchboard.ruling.Decision;
import dev.switchboard.ruling.RuleState;
import dev.switchboard.ruling.Tallies;
import dev.switchboard.ruling.ToolChecks;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Begun;
import dev.switchboard.state.Ledger;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A start that the conversation and the agent both count. It holds the agent's ledger meanwhile.
/// If another process changes that, or storing the start took so long that its time is outdated,
/// the call is judged again.
final class CommonStart {
  private static final Duration LATE = Duration.ofMillis(100);
  private static final int MOST_TRIES = 4;

  private final Starting starting;
  private final ToolChecks checks;
  private final ToolCall call;
  private final ToolSession session;
  private final Ledger<AgentState> agent;
  private final SteadyClock clock;
  // The conversation before it counted the start, null before, and the time.
  private @Nullable RuleState before;
  private Instant counted = Instant.MIN;
  private boolean begunBefore;
  private boolean countedBefore; // by a process that died before its end
  // The agent's counts before the last written start, and its time.
  private Tallies earlier = Tallies.NONE;
  private Instant start = Instant.MIN;

  /// A call that is to start.
  ///
  /// @param once the record of its beginning, if it may run only once; otherwise null
  record Starting(ToolChecks checks, ToolCall call, @Nullable Begun once, ToolSession session) {
    /// Whether its start is stored in the conversation.
    boolean isKept() {
      return once != null || checks.matter();
    }

    private ConversationState begun(ConversationState state) {
      return once == null ? state : state.beginning(once);
    }
  }

  /// The decision on a call, and what is needed to withdraw its start.
  ///
  /// @param before the conversation's counts before it, null if nothing is counted
  /// @param at when the conversation counted it
  /// @param usesBefore the agent's counts before it
  /// @param usesAt when the agent counted it
  /// @param begunBefore whether it may run only once and has begun before: then it does not start
  record Start(
      Decision decision,
      @Nullable RuleState before,
      Instant at,
      Tallies usesBefore,
      Instant usesAt,
      boolean begunBefore) {
    static final Start UNCOUNTED = here(Decision.ALLOWED, null, Instant.MIN);

    static Start here(Decision decision, @Nullable RuleState before, Instant at) {
      return new Start(decision, before, at, Tallies.NONE, Instant.MIN, false);
    }

    private Start notAgain() {
      return new Start(decision, before, at, usesBefore, usesAt, true);
    }
  }

  CommonStart(Starting starting, Ledger<AgentState> agent, SteadyClock clock) {
    this.starting = starting;
    checks = starting.checks;
    call = starting.call;
    session = starting.session;
    this.agent = agent;
    this.clock = clock;
  }

  /// The final decision on the call, which is counted if it may run.
  Start make() {
    boolean starts = false;
    try {
      Decision decision = agent.change(this::step);
      for (int tries = 1; tries < MOST_TRIES && isLate(decision); tries++) {
        Instant early = start;
        Tallies uses = earlier;
        decision = agent.change(state -> step(without(state, early, uses)));
      }
      starts = decision instanceof Decision.Allowed && !begunBefore;
      return new Start(decision, before, counted, earlier, start, begunBefore);
    } finally {
      if (!starts && before != null) {
        takeBack(before);
      }
    }
  }

  private boolean isLate(Decision decision) {
    return decision instanceof Decision.Allowed
        && !begunBefore
        && Duration.between(start, clock.now()).compareTo(LATE) > 0;
  }

  private AgentState without(AgentState state, Instant early, Tallies uses) {
    return state.withUses(state.uses().withdrawn(call.name(), early, uses));
  }

  private Ledger.Step<AgentState, Decision> step(AgentState state) {
    earlier = state.uses();
    start = clock.now();
    Decision decision =
        before == null
            ? inConversation(state.uses())
            : countedBefore ? Decision.ALLOWED : checks.evaluate(before, state.uses(), call, start);
    return decision instanceof Decision.Allowed && !begunBefore
        ? new Ledger.Step<>(state.withUses(state.uses().started(call.name(), start)), decision)
        : new Ledger.Step<>(state, decision);
  }

  private Decision inConversation(Tallies ofAgent) {
    countedBefore = session.state().running().contains(call.id());
    Start here = here(starting, ofAgent, start);
    begunBefore = here.begunBefore();
    if (here.decision() instanceof Decision.Allowed && !begunBefore) {
      before = here.before();
      counted = start;
      session.store().writeGathered(session.conversationId());
    }
    return here.decision();
  }

  /// A call that does not run uses no limit.
  private void takeBack(RuleState state) {
    session.change(now -> {
      RuleState known = now.rules();
      RuleState next = checks.counted() ? known.withdrawn(call.name(), counted, state) : known;
      return new Ledger.Step<>(now.ended(call.id(), next), next);
    });
  }

  static Start here(Starting starting, Tallies ofAgent, Instant now) {
    if (!starting.isKept()) {
      // Nothing is written, so no conflict would show that another process has continued.
      starting.session.refresh();
    }
    return starting.session.change(state -> step(starting, state, ofAgent, now));
  }

  private static Ledger.Step<ConversationState, Start> step(
      Starting starting, ConversationState state, Tallies ofAgent, Instant now) {
    String id = starting.call.id();
    ToolChecks checks = starting.checks;
    RuleState before = state.rules();
    Start allowed = Start.here(Decision.ALLOWED, before, now);
    if (starting.once != null && state.hasBegun(id)) {
      // Another process began it after it was admitted here.
      return new Ledger.Step<>(state, allowed.notAgain());
    }
    if (state.running().contains(id)) {
      // A process that died before its end counted its start.
      return new Ledger.Step<>(starting.begun(state), allowed);
    }
    Decision decision = checks.evaluate(before, ofAgent, starting.call, now);
    boolean starts = decision instanceof Decision.Allowed && starting.isKept();
    ConversationState next =
        starts
            ? starting.begun(state.started(id, started(checks, before, starting.call, now)))
            : state;
    return new Ledger.Step<>(next, Start.here(decision, before, now));
  }

  private static RuleState started(
      ToolChecks checks, RuleState before, ToolCall call, Instant now) {
    return checks.counted() ? before.started(call.name(), now) : before;
  }
}
