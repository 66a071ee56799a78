package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.call.CallSettings;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.call.CallSettings.Transfer;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class TypedCallTest {
  private static final CallSettings SETTINGS = CallSettings.of("+15550001234");

  private final ScriptedModel model = new ScriptedModel();
  private final Collected seen = new Collected();

  private AgentBuilder agent(Tool... tools) {
    return Agent.builder("Shop").model(model).prompt("You sell.").firstMessage("Hi!").tools(tools);
  }

  private TypedCall call(AgentBuilder agent, CallSettings settings) {
    Carrier.Arrival arrival =
        new Carrier.Arrival("sim-1", "+14155550100", settings.number(), "inbound", Map.of());
    return TypedCall.start(arrival, agent.build(), settings, Time.SYSTEM, seen);
  }

  private static Tool lookup() {
    return Tool.dynamic("lookup").mode(ToolMode.READ).handler(arguments -> "shipped");
  }

  @Test
  void theCallersTurnComesAfterAllIsSaid() {
    model.calls("lookup", "{}").says("It has ", "shipped.").says("Bye.");
    try (TypedCall call = call(agent(lookup()), SETTINGS)) {
      assertThat(call.awaitCallersTurn()).isTrue();
      assertThat(seen.said).containsExactly("Hi!|");

      call.say("Where is it?");
      assertThat(call.awaitCallersTurn()).isTrue();
      assertThat(seen.lines)
          .containsExactly(
              "agent: Hi!", "caller: Where is it?", "tool: lookup", "agent: It has shipped.");

      call.press('4');
      call.press('#');
      assertThat(call.awaitCallersTurn()).isTrue();
      assertThat(seen.lines).endsWith("caller: [DTMF: 1 key]", "agent: Bye.");

      call.hangUp();
      assertThat(call.awaitCallersTurn()).isFalse();
      assertThat(call.awaitEnd()).isEqualTo("hung_up");
    }
  }

  @Test
  void callsOfALaterReplyMayHaveTheSameIds() {
    model.calls("call_0", "lookup", "{}").calls("call_0", "lookup", "{}").says("Shipped twice.");
    try (TypedCall call = call(agent(lookup()), SETTINGS)) {
      call.awaitCallersTurn();
      call.say("Where are they?");
      assertThat(call.awaitCallersTurn()).isTrue();
      assertThat(seen.lines).endsWith("tool: lookup", "tool: lookup", "agent: Shipped twice.");
    }
  }

  @Test
  void theAgentEndsTheCallWithItsLastWords() {
    model.calls("end_call", "{\"reason\":\"done\"}").says("Goodbye!");
    try (TypedCall call = call(agent(), SETTINGS)) {
      call.awaitCallersTurn();
      call.say("That was all.");

      assertThat(call.awaitCallersTurn()).isFalse();
      assertThat(call.awaitEnd()).isEqualTo("end_call");
      assertThat(seen.said).containsExactly("Hi!|", "Goodbye!|");
      assertThat(seen.lines).endsWith("agent: Goodbye!", "system: Call ended: done");
    }
  }

  @Test
  void aTransferEndsTheCall() {
    model.calls("transfer_call", "{\"destination\":\"support\"}").says("One moment.");
    CallSettings settings = SETTINGS.with(Transfer.to(Map.of("support", "+15550001111")));
    try (TypedCall call = call(agent(), settings)) {
      call.awaitCallersTurn();
      call.say("A human, please.");

      assertThat(call.awaitEnd()).isEqualTo("transferred");
      assertThat(seen.lines).endsWith("system: Call transferred to +15550001111");
      assertThat(seen.events).contains("tool_result");
    }
  }

  @Test
  void aQuestionForConsentIsTheCallersTurn() {
    model.calls("lookup", "{}").says("Done.");
    AgentBuilder agent = agent(lookup()).rules(ToolRule.consent("lookup"));
    try (TypedCall call = call(agent, SETTINGS.with(ConsentMode.CALLER))) {
      call.awaitCallersTurn();
      call.say("Look.");
      assertThat(call.awaitCallersTurn()).isTrue();
      assertThat(seen.said.getLast()).contains("Press 1 for yes");

      call.press('1');
      assertThat(call.awaitCallersTurn()).isTrue();
      assertThat(seen.said.getLast()).isEqualTo("Done.|");
    }
  }

  @Test
  void theTalkGoesOnWhileAnOperatorIsAsked() {
    model.calls("lookup", "{}").says("Someone has to agree.").says("Yes?");
    AgentBuilder agent = agent(lookup()).rules(ToolRule.consent("lookup"));
    try (TypedCall call = call(agent, SETTINGS)) {
      call.awaitCallersTurn();
      call.say("Look.");
      assertThat(call.awaitCallersTurn()).isTrue();
      assertThat(seen.events).contains("consent_pending");

      call.say("Hello?");
      assertThat(call.awaitCallersTurn()).isTrue();
      assertThat(seen.said.getLast()).isEqualTo("Yes?|");
    }
  }

  @Test
  void aModelThatFailsEndsTheCallAfterTheWordsForIt() {
    model.fails(ModelException.Kind.REFUSED);
    try (TypedCall call = call(agent(), SETTINGS)) {
      call.awaitCallersTurn();
      call.say("Hello?");

      assertThat(call.awaitEnd()).isEqualTo("failed");
      assertThat(seen.events).contains("response_failed");
      assertThat(seen.said).last().isEqualTo(SETTINGS.words().of(CallSettings.Phrase.FAILED) + "|");
    }
  }

  @Test
  void needsAModel() {
    AgentBuilder silent = Agent.builder("Shop").prompt("You sell.");
    assertThatThrownBy(() -> call(silent, SETTINGS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("agent 'Shop' has no model: AgentBuilder.model(..) sets it");
  }

  /// What a call shows; "|" ends a response.
  private static final class Collected implements TypedCall.Listener {
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final StringBuilder words = new StringBuilder();

    @Override
    public void said(String more, boolean last) {
      words.append(more);
      if (last) {
        said.add(words + "|");
        words.setLength(0);
      }
    }

    @Override
    public void happened(String type, Json details) {
      events.add(type);
    }

    @Override
    public void line(String role, String text) {
      lines.add(role + ": " + text);
    }

    @Override
    public void ended(String reason, ModelReply.Usage usage) {}
  }
}
