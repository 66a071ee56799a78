package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolOptions.Delivery.Found;
import dev.switchboard.handler.ToolOptions.Delivery.Probe;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// What becomes of a call whose process dies in its handler, by the delivery of its tool.
class DeliveryTest {
  private final ManualTime time = new ManualTime();
  private final InProcessConversations durable = new InProcessConversations();
  private final List<String> keys = new ArrayList<>();
  private final List<ConsentRequest> asked = new ArrayList<>();
  private String called = "pay";
  private boolean outerDies; // behind the call that it makes

  private Conversation talk(
      Function<Tool.DynamicBuilder, Tool.DynamicBuilder> stated, boolean dies) {
    return talk(stated, dies, ConversationOptions.NONE);
  }

  private Conversation talk(
      Function<Tool.DynamicBuilder, Tool.DynamicBuilder> stated,
      boolean dies,
      ConversationOptions options) {
    DyingStore store = new DyingStore(durable, -1);
    Tool pay =
        stated
            .apply(Tool.dynamic("pay", "{\"type\":\"object\",\"properties\":{\"amount\":{}}}"))
            .handler((arguments, context) -> {
              keys.add(context.idempotencyKey());
              if (dies && !outerDies) {
                store.die();
              }
              return "paid";
            });
    Tool outer =
        Tool.dynamic("settle_all")
            .handler((arguments, context) -> {
              ToolResult paid = context.tools().call("pay", Json.EMPTY_OBJECT);
              if (dies) {
                store.die();
              }
              return paid;
            });
    Tool find =
        Tool.dynamic("find_payment", "{\"type\":\"object\",\"properties\":{\"key\":{}}}")
            .mode(ToolMode.READ)
            .handler(arguments -> arguments);
    return Agent.builder("delivery")
        .model(ScriptedModel.answering(this::reply))
        .tools(pay, outer, find)
        .rules(ToolRule.maxCalls("pay", 1))
        .store(store)
        .time(time)
        .build()
        .conversation("c", options);
  }

  private ModelReply reply(ModelRequest request) {
    return request.messages().getLast() instanceof Message.Result
        ? ModelReply.text("So it is.")
        : ModelReply.calls(RequestedCall.of("", called, "{\"amount\":5}"));
  }

  /// The one result of the call after its process has died in the handler.
  private ToolResult afterDeath(Function<Tool.DynamicBuilder, Tool.DynamicBuilder> stated) {
    assertThatThrownBy(() -> talk(stated, true).say("Pay")).isInstanceOf(DyingStore.Killed.class);
    time.advance(LeaseTerms.LENGTH);
    assertThat(talk(stated, false).resume(event -> {})).isEqualTo(new Turn.Reply("So it is."));
    return result();
  }

  private ToolResult result() {
    List<SettledCall> settled = durable.settledCalls("c", 1);
    assertThat(settled).hasSize(1);
    return settled.getFirst().result();
  }

  private void isUnknown(ToolResult result) {
    assertThat(result.code()).isEqualTo(ResultCode.OUTCOME_UNKNOWN);
    assertThat(result.error())
        .isEqualTo(
            "Tool '%s' was begun, and the process that ran it has died. It is not known whether it was done: do not repeat it without asking the user."
                .formatted("pay"));
    assertThat(result.isTerminal()).isFalse();
    assertThat(keys).hasSize(1);
  }

  private static Function<Tool.DynamicBuilder, Tool.DynamicBuilder> probed(Probe probe) {
    return tool -> tool.reconcile(probe);
  }

  @Test
  void atLeastOnceIsTheDefaultOfOthers() {
    assertThat(afterDeath(tool -> tool).success()).isTrue();
    assertThat(keys).hasSize(2).containsOnly(keys.getFirst());
  }

  @Test
  void aDestructiveCallIsNotMadeAgain() {
    isUnknown(afterDeath(tool -> tool.mode(ToolMode.DESTRUCTIVE)));
  }

  @Test
  void aDestructiveCallIsMadeAgainWhereTheToolSaysSo() {
    assertThat(afterDeath(tool -> tool.mode(ToolMode.DESTRUCTIVE).atLeastOnce()).success())
        .isTrue();
    assertThat(keys).hasSize(2);
  }

  @Test
  void statedRetriesSayThatACallMayBeMadeAgain() {
    ToolResult result =
        afterDeath(tool -> tool.mode(ToolMode.DESTRUCTIVE).retry(RetryPolicy.DEFAULT));
    assertThat(result.success()).isTrue();
  }

  @Test
  void rulesCountACallOfUnknownOutcome() {
    isUnknown(afterDeath(tool -> tool.atMostOnce()));
    assertThat(talk(tool -> tool.atMostOnce(), false).say("Again"))
        .isEqualTo(new Turn.Reply("So it is."));
    assertThat(durable.settledCalls("c", 2))
        .singleElement()
        .satisfies(call -> assertThat(call.result().violation()).isEqualTo("MAX_CALLS_EXCEEDED"));
    assertThat(keys).hasSize(1);
  }

  @Test
  void aCallThatIsDeliveredAgainInALaterTurnIsNotMadeAgain() {
    called = "none";
    Function<Tool.DynamicBuilder, Tool.DynamicBuilder> once = tool -> tool.atMostOnce();
    assertThat(talk(once, false).say("Hello")).isEqualTo(new Turn.Reply("So it is."));
    ToolCall call = ToolCall.of("k1", "pay", "{}");
    DyingStore store = new DyingStore(durable, -1);
    ToolResult unused = executed(store, call);
    assertThat(durable.settledCall("c", "k1")).isNull();
    ToolResult result = executed(durable, call);
    isUnknown(result);
    assertThat(executed(durable, call)).isEqualTo(result);
    assertThat(durable.settledCalls("c", 3)).hasSize(1);
  }

  /// What comes of a call in a turn of its own.
  private ToolResult executed(ConversationStore store, ToolCall call) {
    Tool pay =
        Tool.dynamic("pay")
            .atMostOnce()
            .handler((arguments, context) -> {
              keys.add(context.idempotencyKey());
              if (store instanceof DyingStore dying) {
                dying.die();
              }
              return "paid";
            });
    try (ToolExecutor executor = ToolExecutor.builder().tools(List.of(pay)).time(time).build()) {
      ToolSession session = ToolSession.builder("c").store(store).build();
      session.nextTurn();
      return executor.execute(call, session);
    }
  }

  @Test
  void aProbeFindsThatItWasDone() {
    List<String> probes = new ArrayList<>();
    ToolResult result =
        afterDeath(
            probed((arguments, context) -> {
              probes.add(arguments.json() + " " + context.idempotencyKey());
              return Found.done(Json.text("{\"receipt\":7}"));
            }));
    assertThat(result.data()).isEqualTo(Json.text("{\"receipt\":7}"));
    assertThat(result.success()).isTrue();
    assertThat(probes).containsExactly("{\"amount\":5} " + keys.getFirst());
    assertThat(keys).hasSize(1);
  }

  @Test
  void aProbeFindsThatItWasNotDone() {
    assertThat(afterDeath(probed((arguments, context) -> Found.NOT_DONE)).text()).isEqualTo("paid");
    assertThat(keys).hasSize(2).containsOnly(keys.getFirst());
  }

  @Test
  void aProbeDoesNotKnow() {
    isUnknown(afterDeath(probed((arguments, context) -> Found.UNKNOWN)));
  }

  @Test
  void aProbeThatThrowsDoesNotKnow() {
    isUnknown(
        afterDeath(
            probed((arguments, context) -> {
              throw new IllegalStateException("down");
            })));
  }

  @Test
  void aProbeCallsAToolUnderAnIdOfItsOwn() {
    List<String> ids = new ArrayList<>();
    Probe probe =
        (arguments, context) -> {
          Json key = Json.text("{\"key\":\"" + context.idempotencyKey() + "\"}");
          ToolResult found = context.tools().call("find_payment", key);
          ids.add(String.valueOf(found.callId()));
          return Found.done(found.data());
        };
    ToolResult result = afterDeath(probed(probe));
    assertThat(result.data()).isEqualTo(Json.text("{\"key\":\"" + keys.getFirst() + "\"}"));
    assertThat(ids).containsExactly("call_1_1_1.probe.1.1");
  }

  @Test
  void aCallMadeByAToolIsNotMadeAgain() {
    called = "settle_all";
    ToolResult result = afterDeath(tool -> tool.atMostOnce());
    isUnknown(result.toBuilder().build());
    assertThat(durable.state("c").load().value().begun()).isEmpty();
  }

  @Test
  void aCallThatAToolHasMadeIsNotMadeAgainWithIt() {
    called = "settle_all";
    outerDies = true;
    isUnknown(afterDeath(tool -> tool.atMostOnce()));
    assertThat(durable.state("c").load().value().begun()).isEmpty();
  }

  @Test
  void aPersonWhoHasAgreedIsNotAskedAgain() {
    Function<Tool.DynamicBuilder, Tool.DynamicBuilder> local =
        tool -> tool.mode(ToolMode.LOCAL).atMostOnce();
    dieAfterConsent(local, ConversationOptions.NONE);
    time.advance(Duration.ofMinutes(2));
    assertThat(talk(local, false).resume(this::noteQuestions))
        .isEqualTo(new Turn.Reply("So it is."));
    isUnknown(result());
    assertThat(asked).isEmpty();
  }

  @Test
  void aSoleHostFindsOutAtOnceWhatBecameOfACall() {
    Function<Tool.DynamicBuilder, Tool.DynamicBuilder> local =
        tool -> tool.mode(ToolMode.LOCAL).atMostOnce();
    ConversationOptions sole = ConversationOptions.NONE.withSoleHost("server");
    dieAfterConsent(local, sole);
    assertThat(talk(local, false, sole).resume(this::noteQuestions))
        .isEqualTo(new Turn.Reply("So it is."));
    isUnknown(result());
    assertThat(asked).isEmpty();
  }

  @Test
  void aPersonIsAskedAgainAboutACallThatWasNotDone() {
    Function<Tool.DynamicBuilder, Tool.DynamicBuilder> local =
        tool -> tool.mode(ToolMode.LOCAL).reconcile((arguments, context) -> Found.NOT_DONE);
    dieAfterConsent(local, ConversationOptions.NONE);
    time.advance(Duration.ofMinutes(2));
    Conversation again = talk(local, false);
    assertThat(again.resume(this::noteQuestions)).isInstanceOf(Turn.Pending.class);
    assertThat(again.answer("call_1_1_1", Answer.approveOnce()))
        .isEqualTo(new Turn.Reply("So it is."));
    assertThat(result().text()).isEqualTo("paid");
    assertThat(keys).hasSize(2).containsOnly(keys.getFirst());
  }

  private void dieAfterConsent(
      Function<Tool.DynamicBuilder, Tool.DynamicBuilder> local, ConversationOptions options) {
    Conversation first = talk(local, true, options);
    assertThat(first.say("Pay")).isInstanceOf(Turn.Pending.class);
    assertThatThrownBy(() -> first.answer("call_1_1_1", Answer.approveOnce()))
        .isInstanceOf(DyingStore.Killed.class);
  }

  private void noteQuestions(Event event) {
    if (event instanceof Event.AgentEvent(String name, Json data)
        && name.equals("consent_request")) {
      asked.add(durable.waiting().getFirst());
    }
  }
}
