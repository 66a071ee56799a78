package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.agent.Budget.Limit;
import dev.switchboard.agent.Budget.Then;
import dev.switchboard.agent.Prices.Price;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelReply.Usage;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The budget of an agent: checked before each request, counted after it.
class BudgetTest {
  private static final Prices PRICES = Prices.NONE.with("scripted", Price.of(100, 1000));

  private final ManualTime time = new ManualTime();
  private final InProcessConversations kept = new InProcessConversations(time);
  private final ScriptedModel model = new ScriptedModel();
  private final List<Event> events = new ArrayList<>();

  /// Another process with that budget.
  private Agent agent(Budget budget, ToolRule... rules) {
    return Agent.builder("spender")
        .model(model)
        .tools(Tool.dynamic("get_it").handler(arguments -> "got"))
        .rules(rules)
        .budget(budget)
        .prices(PRICES)
        .store(kept)
        .time(time)
        .build();
  }

  /// A reply that has cost 0.1 for 1,000 tokens in, and 0.1 for 100 out.
  private void says(String text) {
    model.replies(
        new ModelReply(text, List.of(), ModelReply.FinishReason.STOP, new Usage(1000, 100)));
  }

  private void calls() {
    model.replies(
        new ModelReply(
            "",
            List.of(RequestedCall.of("", "get_it", "{}")),
            ModelReply.FinishReason.TOOL_CALLS,
            new Usage(1000, 100)));
  }

  private Json event(String type) {
    return events.stream()
        .map(Event::json)
        .filter(json -> json.tree().path("type").asString().equals(type))
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  private static String said(Turn turn) {
    return turn instanceof Turn.Stopped stopped
        ? stopped.reason() + ": " + stopped.text()
        : turn.toString();
  }

  private static ConsentRequest request(Turn turn) {
    return ((Turn.Pending) turn).requests().getFirst();
  }

  private static Budget cost(double most) {
    return Budget.NONE.withConversation(Limit.ofCost(most));
  }

  @Test
  void stopsBeforeARequestThatWouldExceedIt() {
    says("One.");
    Conversation talk = agent(cost(0.3)).conversation("c");
    Turn first = talk.say("Go");
    assertThat(first).isEqualTo(new Turn.Reply("One."));
    Turn turn = talk.say("Go on", events::add);
    assertThat(said(turn)).isEqualTo("BUDGET: I have to stop here: my budget is used up.");
    assertThat(event("budget_exhausted").text())
        .isEqualTo(
            "{\"type\":\"budget_exhausted\",\"message\":\"I have to stop here: my budget is used"
                + " up.\",\"code\":\"budget\",\"scope\":\"conversation\",\"limit\":{\"cost\":0.3},"
                + "\"spent\":{\"cost\":0.2}}");
    assertThat(event("done").text())
        .isEqualTo("{\"type\":\"done\",\"payload\":{\"stopReason\":\"budget\"}}");
    assertThat(model.requests()).hasSize(1);
  }

  @Test
  void asksForARequestThatJustFits() {
    says("One.");
    says("Two.");
    // 0.2 spent, and 0.11 and a little for the next.
    Conversation talk = agent(cost(0.32)).conversation("c");
    assertThat(talk.say("Go")).isEqualTo(new Turn.Reply("One."));
    assertThat(talk.say("Go on")).isEqualTo(new Turn.Reply("Two."));
    assertThat(talk.say("Go on")).isInstanceOf(Turn.Stopped.class);
  }

  @Test
  void saysWhatATurnHasUsedAndCost() {
    calls();
    says("Done.");
    Turn unused = agent(Budget.NONE).conversation("c").say("Go", events::add);
    assertThat(event("done").tree().path("payload").path("usage").toString())
        .isEqualTo("{\"input\":2000,\"output\":200,\"cost\":0.4}");
  }

  @Test
  void countsWhatWasUsedInTheConversationAndTheDay() {
    calls();
    says("Done.");
    says("And done.");
    Agent agent = agent(Budget.NONE.withDay(Limit.ofTokens(1_000_000)));
    Turn one = agent.conversation("c").say("Go");
    Turn two = agent.conversation("d").say("Go");
    assertThat(List.of(one, two)).allMatch(Turn.Reply.class::isInstance);
    assertThat(kept.state("c").load().value().spending().all().tokens()).isEqualTo(2200);
    assertThat(kept.agent().load().value().day().sum().tokens()).isEqualTo(3300);
    assertThat(kept.agent().load().value().day().sum().cost())
        .isEqualByComparingTo(new BigDecimal("0.6"));
  }

  @Test
  void aTurnHasItsOwnLimit() {
    calls();
    calls();
    says("Fresh.");
    Conversation talk = agent(Budget.NONE.withTurn(Limit.ofTokens(3000))).conversation("c");
    assertThat(said(talk.say("Go"))).startsWith("BUDGET");
    assertThat(model.requests()).hasSize(2);
    assertThat(talk.say("Again")).isEqualTo(new Turn.Reply("Fresh."));
  }

  @Test
  void aDayEndsInUtc() {
    says("One.");
    says("Two.");
    Budget budget = Budget.NONE.withDay(Limit.ofTokens(1100));
    assertThat(agent(budget).conversation("c").say("Go")).isEqualTo(new Turn.Reply("One."));
    Agent stopped = agent(budget);
    assertThat(said(stopped.conversation("d").say("Go"))).startsWith("BUDGET");
    time.advance(Duration.ofDays(1));
    assertThat(stopped.conversation("d").say("Again")).isEqualTo(new Turn.Reply("Two."));
    assertThat(model.lastRequest().messages())
        .containsExactly(new Message.User("Go"), new Message.User("Again"));
  }

  @Test
  void asksAPersonInAnotherProcessAndGoesOn() {
    says("One.");
    says("Two.");
    Budget budget = Budget.NONE.withDay(Limit.ofCost(0.3)).withThen(Then.ASK);
    Agent first = agent(budget);
    Turn before = first.conversation("c").say("Go");
    assertThat(before).isEqualTo(new Turn.Reply("One."));
    Turn parked = first.conversation("c").say("Go on", events::add);
    ConsentRequest asked = request(parked);
    assertThat(asked.call().name()).isEqualTo("continue_spending");
    assertThat(asked.call().arguments().text())
        .isEqualTo("{\"scope\":\"day\",\"limit\":{\"cost\":0.3},\"spent\":{\"cost\":0.2}}");
    first.close();
    Agent second = agent(budget);
    Conversation there = second.conversation("c");
    assertThat(there.waiting()).hasSize(1);
    assertThat(there.answer(asked.id(), Answer.approveOnce())).isEqualTo(new Turn.Reply("Two."));
    assertThat(kept.agent().load().value().day().sum().approvals()).hasSize(1);
    // The model reads none of it.
    for (ModelRequest request : model.requests()) {
      assertThat(request.toString()).doesNotContain("continue_spending", "budget");
    }
  }

  @Test
  void stopsIfAPersonSaysNo() {
    says("One.");
    Budget budget = cost(0.3).withThen(Then.ASK);
    Conversation talk = agent(budget).conversation("c");
    Turn before = talk.say("Go");
    assertThat(before).isEqualTo(new Turn.Reply("One."));
    ConsentRequest asked = request(talk.say("Go on"));
    Turn turn = talk.answer(asked.id(), Answer.deny("too dear"), events::add);
    assertThat(said(turn)).isEqualTo("BUDGET: I have to stop here: my budget is used up.");
    assertThat(event("budget_exhausted").tree().path("scope").asString()).isEqualTo("conversation");
  }

  @Test
  void eachConsentCountsOnce() {
    for (int i = 0; i < 4; i++) {
      says("Reply " + i);
    }
    Conversation talk = agent(cost(0.3).withThen(Then.ASK)).conversation("c");
    assertThat(talk.say("Go")).isEqualTo(new Turn.Reply("Reply 0"));
    ConsentRequest asked = request(talk.say("Go on"));
    assertThat(talk.answer(asked.id(), Answer.approveOnce())).isEqualTo(new Turn.Reply("Reply 1"));
    // 0.4 of 0.6, and 0.11 for the next; then 0.6 of 0.6.
    assertThat(talk.say("And on")).isEqualTo(new Turn.Reply("Reply 2"));
    ConsentRequest again = request(talk.say("And on"));
    assertThat(again.call().arguments().tree().path("limit").path("cost").asDouble())
        .isEqualTo(0.6);
  }

  @Test
  void asksAgainIfTheLimitDoesNotSufficeOnceMore() {
    says("One.");
    says("Two.");
    Conversation talk = agent(cost(0.11).withThen(Then.ASK)).conversation("c");
    assertThat(talk.say("Go")).isEqualTo(new Turn.Reply("One."));
    ConsentRequest first = request(talk.say("Go on"));
    Turn parked = talk.answer(first.id(), Answer.approveOnce());
    ConsentRequest second = request(parked);
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(talk.answer(second.id(), Answer.approveOnce())).isEqualTo(new Turn.Reply("Two."));
  }

  @Test
  void aLastingConsentCountsOnceToo() {
    says("One.");
    says("Two.");
    Conversation talk = agent(cost(0.25).withThen(Then.ASK)).conversation("c");
    assertThat(talk.say("Go")).isEqualTo(new Turn.Reply("One."));
    ConsentRequest first = request(talk.say("Go on"));
    assertThat(talk.answer(first.id(), Answer.approveFor(Duration.ofDays(1))))
        .isEqualTo(new Turn.Reply("Two."));
    assertThat(talk.say("And on")).isInstanceOf(Turn.Pending.class);
  }

  @Test
  void noRuleConcernsTheQuestion() {
    says("One.");
    Budget budget = Budget.NONE.withTurn(Limit.ofTokens(1)).withThen(Then.ASK);
    Conversation talk =
        agent(budget, ToolRule.startWith("get_it"), ToolRule.maxCalls("get_it", 1))
            .conversation("c");
    assertThat(talk.say("Go")).isInstanceOf(Turn.Pending.class);
  }

  @Test
  void aCancelledQuestionDoesNotAskTheModel() {
    Budget budget = Budget.NONE.withTurn(Limit.ofTokens(1)).withThen(Then.ASK);
    Conversation talk = agent(budget).conversation("c");
    assertThat(talk.say("Go")).isInstanceOf(Turn.Pending.class);
    assertThat(said(talk.hangUp())).startsWith("CANCELLED");
    assertThat(model.requests()).isEmpty();
  }

  @Test
  void aRequestThatExpiresStopsTheTurn() {
    Budget budget = Budget.NONE.withTurn(Limit.ofTokens(1)).withThen(Then.ASK);
    Conversation talk = agent(budget).conversation("c");
    ConsentRequest asked = request(talk.say("Go"));
    time.advance(Duration.between(time.now(), asked.expiresAt()).plusSeconds(1));
    assertThat(said(Objects.requireNonNull(talk.resume()))).startsWith("BUDGET");
    assertThat(model.requests()).isEmpty();
  }

  @Test
  void asksAnApproverWithinTheTurn() {
    says("One.");
    List<String> asked = new ArrayList<>();
    Agent agent =
        Agent.builder("spender")
            .model(model)
            .budget(Budget.NONE.withTurn(Limit.ofTokens(1)).withThen(Then.ASK))
            .approver(request -> {
              asked.add(request.call().arguments().text());
              return asked.size() == 9 ? Answer.deny("enough") : Answer.approveOnce();
            })
            .build();
    assertThat(agent.conversation("c").say("Go")).isEqualTo(new Turn.Reply("One."));
    // Nothing was spent: the request itself has more tokens than the limit, twice.
    assertThat(asked)
        .hasSizeGreaterThan(1)
        .last()
        .isEqualTo(
            "{\"scope\":\"turn\",\"limit\":{\"tokens\":%d},\"spent\":{\"tokens\":0}}"
                .formatted(asked.size()));
  }

  @Test
  void whatAProviderStatesCannotOverflow() {
    for (int i = 0; i < 2; i++) {
      model.replies(
          new ModelReply(
              "Much.",
              List.of(),
              ModelReply.FinishReason.STOP,
              new Usage(Long.MAX_VALUE, Long.MAX_VALUE, -5, Long.MAX_VALUE)));
    }
    Conversation talk =
        agent(Budget.NONE.withConversation(Limit.ofTokens(Long.MAX_VALUE))).conversation("c");
    assertThat(talk.say("Go")).isEqualTo(new Turn.Reply("Much."));
    assertThat(talk.say("Go on")).isEqualTo(new Turn.Reply("Much."));
    assertThat(said(agent(cost(1)).conversation("c").say("And on"))).startsWith("BUDGET");
    assertThat(kept.state("c").load().value().spending().all().tokens())
        .isGreaterThanOrEqualTo(2_000_000_000_000L);
  }

  @Test
  void aListenerThatFailsDoesNotEndTheTurn() {
    says("One.");
    Agent agent = agent(Budget.NONE);
    agent.onModelUse(use -> {
      throw new IllegalStateException("broken");
    });
    assertThat(agent.conversation("c").say("Go")).isEqualTo(new Turn.Reply("One."));
  }

  @Test
  void countsByTheModelThatAnswered() {
    ChatModel broken =
        new ChatModel() {
          @Override
          public ModelReply reply(ModelRequest request, ReplyStream stream) {
            return new ModelReply("", List.of(), ModelReply.FinishReason.STOP, new Usage(500, 10));
          }

          @Override
          public String name() {
            return "first";
          }
        };
    says("From the second.");
    Agent agent = Agent.builder("spender").model(broken).fallback(model).store(kept).build();
    List<Prices.Use> uses = new ArrayList<>();
    agent.onModelUse(uses::add);
    Turn turn = agent.conversation("c").say("Go", events::add);
    assertThat(turn).isEqualTo(new Turn.Reply("From the second."));
    assertThat(event("done").tree().path("payload").path("usage").toString())
        .isEqualTo(
            "{\"input\":1500,\"output\":110,\"models\":{\"first\":{\"input\":500,\"output\":10},"
                + "\"scripted\":{\"input\":1000,\"output\":100}}}");
    assertThat(uses)
        .containsExactlyInAnyOrder(
            new Prices.Use("first", new Usage(500, 10), null),
            new Prices.Use("scripted", new Usage(1000, 100), null));
  }

  @Test
  void countsWhatAFailedRequestHasUsed() {
    for (int i = 0; i < 2; i++) {
      model.replies(new ModelReply("", List.of(), ModelReply.FinishReason.STOP, new Usage(700, 0)));
    }
    Turn turn = agent(Budget.NONE).conversation("c").say("Go", events::add);
    assertThat(said(turn)).startsWith("MODEL_ERROR");
    assertThat(event("done").tree().path("payload").path("usage").path("input").asLong())
        .isEqualTo(1400);
  }

  @Test
  void questionsOfGuardrailsAndHandlersCountForTheDay() {
    ChatModel asked = BudgetTest::reply;
    Agent agent =
        Agent.builder("spender")
            .model(asked)
            .guardrails(Guardrail.question("polite", "Is it rude?").on(Guardrail.Place.INPUT))
            .tools(
                Tool.dynamic("ask_it")
                    .handler((arguments, context) ->
                        Objects.requireNonNull(context.services().model())
                            .reply(ModelRequest.of(new Message.User("?")), ReplyStream.unheard())
                            .text()))
            .budget(Budget.NONE.withDay(Limit.ofTokens(5500)))
            .store(kept)
            .time(time)
            .build();
    List<Prices.Use> uses = new ArrayList<>();
    agent.onModelUse(uses::add);
    assertThat(agent.conversation("c").say("Go")).isEqualTo(new Turn.Reply("Done."));
    assertThat(uses).hasSize(4);
    assertThat(kept.agent().load().value().day().sum().tokens()).isEqualTo(4400);
    assertThat(kept.state("c").load().value().spending().all().tokens()).isEqualTo(2200);
    // The guardrail's question uses up what the reply would need.
    assertThat(said(agent.conversation("d").say("Go"))).startsWith("BUDGET");
  }

  /// A guardrail's question gets a no, `Go` a call, and anything else the end.
  private static ModelReply reply(ModelRequest request, ReplyStream stream) {
    boolean judges =
        request.messages().getFirst() instanceof Message.System system
            && system.text().startsWith("You judge");
    boolean begins = !judges && request.messages().getLast().equals(new Message.User("Go"));
    return new ModelReply(
        begins ? "" : judges ? "no" : "Done.",
        begins ? List.of(RequestedCall.of("", "ask_it", "{}")) : List.of(),
        ModelReply.FinishReason.STOP,
        new Usage(1000, 100));
  }

  @Test
  void needsAPriceForEachModel() {
    AgentBuilder builder =
        Agent.builder("spender")
            .model(model)
            .fallback(ScriptedModel.answering(request -> ModelReply.text("")))
            .budget(cost(1));
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "agent 'spender': the cost limit of its budget needs a price for model 'scripted'");
  }

  @Test
  void noToolHasTheNameOfTheQuestion() {
    assertThatThrownBy(() -> Tool.dynamic("continue_spending").handler(arguments -> ""))
        .hasMessage("'continue_spending' is a reserved name");
    model.calls("continue_spending", "{}").says("Oh.");
    Conversation talk = agent(Budget.NONE).conversation("c");
    assertThat(talk.say("Go")).isEqualTo(new Turn.Reply("Oh."));
    assertThat(((Message.Result) model.lastRequest().messages().getLast()).success()).isFalse();
  }

  @Test
  void aLongRequestHasAPriceOfItsOwn() {
    Price price =
        new Price(
            new BigDecimal("1"),
            new BigDecimal("0.1"),
            new BigDecimal("1.25"),
            new BigDecimal("5"),
            new Prices.Over(1_000_000, Price.of(2, 7.5)));
    Prices prices = Prices.NONE.with("m", price);
    assertThat(prices.cost("m", new Usage(1_000_000, 100_000, 500_000, 200_000)))
        .isEqualByComparingTo("1.1");
    assertThat(prices.cost("m", new Usage(2_000_000, 100_000))).isEqualByComparingTo("4.75");
    assertThat(prices.cost("other", new Usage(1, 1))).isNull();
  }
}
