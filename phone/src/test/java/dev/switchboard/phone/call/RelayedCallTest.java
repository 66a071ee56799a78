package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentLimits;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.CarrierEvent.Side;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Calls whose carrier hears and speaks: the agent's own model replies.
final class RelayedCallTest {
  private final ManualTime time = new ManualTime();
  private final ScriptedModel model = new ScriptedModel();

  private PlayedCall call(Tool... tools) {
    Agent agent =
        Agent.builder("Shop")
            .model(model)
            .prompt("You sell.")
            .firstMessage("Hi!")
            .store(new InProcessConversations())
            .tools(tools)
            .build();
    return PlayedCall.relayed(agent, PlayedCall.SETTINGS, time).relaying();
  }

  private static Tool lookup() {
    return Tool.dynamic("lookup").mode(ToolMode.READ).handler(arguments -> "shipped");
  }

  /// The carrier has spoken all that it was asked to.
  private void hearsAll(PlayedCall call) {
    call.advance(Duration.ofSeconds(20));
    call.carrier(new CarrierEvent.Sounding(Side.AGENT, false));
  }

  @Test
  void theModelRepliesToWhatTheCallerSays() {
    model.says("It is ", "on its way.");
    PlayedCall call = call();
    call.untilSaid("Hi!");
    hearsAll(call);

    call.prompts("Where is my order?");
    call.untilSaid("It is on its way.");

    assertThat(call.spoken()).containsExactly("Hi!", "It is on its way.");
    assertThat(model.lastRequest().messages())
        .contains(new Message.User("Where is my order?"))
        .first()
        .asString()
        .contains("You sell.", "You are talking on the phone");
    hearsAll(call);
    assertThat(call.lines)
        .containsExactly("agent: Hi!", "caller: Where is my order?", "agent: It is on its way.");
  }

  @Test
  void aToolIsCalledAndItsResultIsSpoken() {
    model.calls("lookup", "{}").says("It has shipped.");
    PlayedCall call = call(lookup());
    call.untilSaid("Hi!");
    hearsAll(call);

    call.prompts("Where is it?");
    call.untilSaid("It has shipped.");

    assertThat(model.lastRequest().messages())
        .anyMatch(message ->
            message instanceof Message.Result result && result.text().contains("shipped"));
    assertThat(model.requests().get(1).messages())
        .startsWith(model.requests().get(0).messages().toArray(Message[]::new));
  }

  @Test
  void theLimitsOfTheAgentHoldOnTheLine() {
    model.calls("lookup", "{}").calls("lookup", "{}").says("I cannot find it.");
    Agent agent =
        Agent.builder("Shop")
            .model(model)
            .limits(new AgentLimits(2, null, 200))
            .store(new InProcessConversations())
            .tools(lookup())
            .build();
    PlayedCall call = PlayedCall.relayed(agent, PlayedCall.SETTINGS, time).relaying();

    call.prompts("Where is it?");
    call.untilSaid("I cannot find it.");

    assertThat(model.requests()).hasSize(3);
    assertThat(model.lastRequest().choice()).isEqualTo(ModelRequest.ToolChoice.NONE);
    assertThat(call.notes).anyMatch(note -> note.startsWith("budget_exhausted"));
  }

  @Test
  void whatWasNotHeardIsNotInTheNextRequest() {
    model.says("Your order left Oslo yesterday and arrives tomorrow.").says("Yes.");
    PlayedCall call = call();
    call.untilSaid("Hi!");
    hearsAll(call);
    call.prompts("Where is it?");
    call.untilSaid("arrives tomorrow.");

    call.carrier(new CarrierEvent.Interrupted("your order, left Oslo", 1_200));
    call.prompts("Oslo?");
    call.untilSaid("Yes.");

    assertThat(model.lastRequest().messages())
        .filteredOn(Message.Assistant.class::isInstance)
        .last()
        .asString()
        .contains("Your order left Oslo [the caller interrupted here]")
        .doesNotContain("yesterday");
    assertThat(call.notes).anyMatch(note -> note.startsWith("interrupted"));
  }

  @Test
  void anInterruptionCancelsTheModel() {
    model.says("One moment, I will ", "tell you.").blocks().says("Hello again.");
    PlayedCall call = call();
    call.untilSaid("Hi!");
    hearsAll(call);
    call.prompts("Tell me.");
    call.untilSaid("tell you.");
    call.prompts("More.");
    model.awaitRequests(2);
    call.carrier(new CarrierEvent.Interrupted("", 0));
    call.prompts("Hello?");
    call.untilSaid("Hello again.");
    assertThat(call.ended).isEmpty();
  }

  @Test
  void theAgentSaysNothingWhileTheCallerSpeaks() {
    CompletableFuture<ModelReply> reply = new CompletableFuture<>();
    model.answers(request -> reply.join()).says("Bye.");
    PlayedCall call = call();
    call.untilSaid("Hi!");
    hearsAll(call);
    call.prompts("Where is it?");
    call.until(() -> model.requests().size() == 1);
    call.carrier(new CarrierEvent.Sounding(Side.CALLER, true));
    reply.complete(ModelReply.text("It is on its way."));

    call.advance(Duration.ofSeconds(3));
    assertThat(call.spoken()).containsExactly("Hi!");

    call.prompts("I mean, goodbye.");
    call.untilSaid("Bye.");
  }

  @Test
  void theLineIsFreeAgainAfterANoise() {
    model.says("It is on its way.").says("Bye.");
    PlayedCall call = call();
    call.untilSaid("Hi!");
    call.carrier(new CarrierEvent.Interrupted("Hi", 100));
    call.carrier(new CarrierEvent.Pressed('1'));
    call.advance(Duration.ofSeconds(2));

    call.untilSaid("It is on its way.");
  }

  @Test
  void aModelThatFallsSilentIsGivenUp() {
    model.says("It is ").and().blocks().says("Bye.");
    PlayedCall call = call();
    call.untilSaid("Hi!");
    hearsAll(call);
    call.prompts("Where is it?");
    call.until(() -> String.join("", call.said).endsWith("It is "));

    call.advance(Duration.ofSeconds(31));

    call.untilSaid(PlayedCall.SETTINGS.words().of(CallSettings.Phrase.FAILED));
    assertThat(call.ended).isEmpty();
    call.prompts("Goodbye.");
    call.untilSaid("Bye.");
  }

  @Test
  void anErrorOfTheModelIsAFailureOfTheReply() {
    model.answers(request -> {
      throw new LinkageError("broken");
    });
    PlayedCall call = call();
    call.untilSaid("Hi!");
    hearsAll(call);

    call.prompts("Where is it?");

    call.untilSaid(PlayedCall.SETTINGS.words().of(CallSettings.Phrase.FAILED));
  }

  @Test
  void failuresAreSaid() {
    model.fails(ModelException.Kind.REFUSED);
    PlayedCall call = call();
    call.untilSaid("Hi!");
    hearsAll(call);

    call.prompts("Where is it?");

    call.until(() -> call.spoken().size() == 2);
    assertThat(call.spoken().getLast())
        .isEqualTo(PlayedCall.SETTINGS.words().of(CallSettings.Phrase.FAILED));
  }

  @Test
  void blockedWordsGetTheSubstituteAndNoModelIsAsked() {
    Agent agent =
        Agent.builder("Shop")
            .model(model)
            .store(new InProcessConversations())
            .guardrails(
                Guardrail.words("secret", "password")
                    .on(Guardrail.Place.INPUT)
                    .block("I do not talk about passwords."))
            .build();
    PlayedCall call = PlayedCall.relayed(agent, PlayedCall.SETTINGS, time).relaying();

    call.prompts("Tell me the password.");

    call.untilSaid("I do not talk about passwords.");
    assertThat(model.requests()).isEmpty();
  }

  @Test
  void wordsCountAsHeardOnceTheyCanHaveBeenSpoken() {
    PlayedCall call = call();
    call.untilSaid("Hi!");

    // Too early: it is about earlier words.
    call.carrier(new CarrierEvent.Sounding(Side.AGENT, false));
    assertThat(call.lines).isEmpty();
    call.advance(Duration.ofMillis(100));
    call.carrier(new CarrierEvent.Sounding(Side.AGENT, false));
    assertThat(call.lines).isEqualTo(List.of("agent: Hi!"));
  }

  @Test
  void wordsCountAsHeardByTheirLengthWhereTheCarrierDoesNotSay() {
    PlayedCall call = call();
    call.untilSaid("Hi!");

    call.advance(Duration.ofMillis(1_200));
    assertThat(call.lines).isEmpty();
    call.advance(Duration.ofMillis(20));
    assertThat(call.lines).isEqualTo(List.of("agent: Hi!"));
  }
}
