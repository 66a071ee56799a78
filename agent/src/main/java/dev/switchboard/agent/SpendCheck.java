package dev.switchboard.agent;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.loop.Exhausted;
import dev.switchboard.loop.Spend;
import dev.switchboard.model.ModelReply.Usage;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.state.LoopState;
import dev.switchboard.state.Spending;
import dev.switchboard.state.Spending.Sum;
import dev.switchboard.state.WaitingCall;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The check of the budget before each request of a conversation.
///
/// One thread at a time drives it.
final class SpendCheck {
  private static final String TURN = "turn";
  private static final String CONVERSATION = "conversation";
  private static final String DAY = "day";

  private final AgentParts agent;
  private final AgentSpending spending;
  private final ToolSession session;
  private final Transcript transcript;
  private final RoundCalls calls;

  SpendCheck(AgentParts agent, ToolSession session, Transcript transcript, RoundCalls calls) {
    this.agent = agent;
    spending = agent.spending();
    this.session = session;
    this.transcript = transcript;
    this.calls = calls;
  }

  /// Whether the model may be asked in that round.
  ///
  /// @param number of the check in its round, from 1; each asks a person at most once
  Spend check(int turn, int round, int number) {
    Budget budget = spending.budget();
    boolean unlimited = budget.isEmpty() && session.state().waiting().isEmpty();
    if (unlimited || transcript.find(LoopState.roundKey(turn, round, "model")) != null) {
      return Spend.ALLOWED;
    }
    String id = ToolNames.SPENDING_ID + turn + '_' + round + '_' + number;
    calls.settleDecided();
    ToolCall asked = session.host().settledCall(id);
    ToolResult answer = session.result(id);
    if (asked != null && answer != null) {
      return answered(asked, answer);
    }
    WaitingCall open = session.state().waiting(id);
    if (open != null) {
      return new Spend.Asks(open.request());
    }
    Exhausted limit = exhausted(budget);
    if (limit == null) {
      return Spend.ALLOWED;
    }
    if (budget.then() == Budget.Then.STOP) {
      return new Spend.Over(limit);
    }
    ToolCall call = new ToolCall(id, ToolNames.CONTINUE_SPENDING, limit.arguments());
    return switch (calls.run(List.of(call)).getFirst()) {
      case CallStep.Settled(ToolResult result) -> answered(call, result);
      case CallStep.Pending(ConsentRequest request) -> new Spend.Asks(request);
    };
  }

  /// The limit that the next request would exceed where no person can be asked, null for none.
  @Nullable Exhausted exceeded() {
    Budget budget = spending.budget();
    return budget.isEmpty() ? null : exhausted(budget);
  }

  /// The consequence of a person's answer. A consent counts once, however often this is called.
  private Spend answered(ToolCall asked, ToolResult answer) {
    Exhausted limit = Exhausted.of(asked.arguments());
    if (!answer.success()) {
      return new Spend.Over(limit);
    }
    String id = asked.id();
    switch (limit.scope()) {
      case TURN ->
          session
              .host()
              .changeSpending(spent -> new Spending(spent.all(), spent.turn().approved(id)));
      case CONVERSATION ->
          session
              .host()
              .changeSpending(spent -> new Spending(spent.all().approved(id), spent.turn()));
      case DAY -> spending.approveToday(session.conversationId(), id);
      default -> {
        // A person has changed the arguments: nothing is raised, and the next check asks again.
      }
    }
    return Spend.RAISED;
  }

  /// The first limit that the next request would exceed, null for none.
  private @Nullable Exhausted exhausted(Budget budget) {
    Spending spent = session.state().spending();
    long next = AgentSpending.bounded(transcript.history().size(0, 1));
    Exhausted turn = exhausted(TURN, budget.turn(), spent.turn(), next);
    if (turn != null) {
      return turn;
    }
    Exhausted conversation = exhausted(CONVERSATION, budget.conversation(), spent.all(), next);
    return conversation == null
        ? exhausted(DAY, budget.day(), spending.today(), next)
        : conversation;
  }

  /// @param next the tokens of the next request
  private @Nullable Exhausted exhausted(
      String scope, Budget.@Nullable Limit limit, Sum spent, long next) {
    if (limit == null) {
      return null;
    }
    int times = 1 + spent.approvals().size();
    Long tokens = limit.tokens();
    if (tokens != null && spent.tokens() + next > times(tokens, times)) {
      return new Exhausted(scope, tokens(times(tokens, times)), tokens(spent.tokens()));
    }
    BigDecimal cost = limit.cost();
    if (cost != null) {
      BigDecimal most = cost.multiply(BigDecimal.valueOf(times));
      if (spent.cost().add(costOf(next)).compareTo(most) > 0) {
        return new Exhausted(scope, cost(most), cost(spent.cost()));
      }
    }
    return null;
  }

  private static long times(long tokens, int times) {
    return tokens > Long.MAX_VALUE / times ? Long.MAX_VALUE : tokens * times;
  }

  /// What so many tokens cost the model that is asked first.
  private BigDecimal costOf(long tokens) {
    BigDecimal cost = spending.prices().cost(agent.model().name(), new Usage(tokens, 0));
    return cost == null ? BigDecimal.ZERO : cost;
  }

  private static Json tokens(long number) {
    return Json.of(Codec.object().put("tokens", number));
  }

  private static Json cost(BigDecimal cost) {
    return Json.of(Codec.object().put("cost", Spending.shown(cost)));
  }
}
