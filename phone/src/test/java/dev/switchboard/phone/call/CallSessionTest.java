package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class CallSessionTest {
  private final InProcessConversations store = new InProcessConversations();
  private final CountDownLatch answered = new CountDownLatch(1);
  private final AtomicInteger runs = new AtomicInteger();

  private AgentBuilder shop(Tool... tools) {
    return Agent.builder("Shop")
        .prompt("You sell.")
        .model(ScriptedModel.answering(request -> ModelReply.text("Hello.")))
        .store(store)
        .tools(tools);
  }

  private Tool quick() {
    return Tool.dynamic("lookup")
        .mode(ToolMode.READ)
        .handler(arguments -> {
          runs.incrementAndGet();
          return "{\"status\":\"shipped\"}";
        });
  }

  private Tool slow() {
    return Tool.dynamic("slow")
        .mode(ToolMode.READ)
        .reassurance(new Reassurance("Let me check.", Duration.ofMillis(1500)))
        .handler(arguments -> {
          answered.await();
          return "done";
        });
  }

  private static PlayedCall call(Agent agent) {
    return new PlayedCall(agent, PlayedCall.SETTINGS);
  }

  private static PlayedCall call(Agent agent, ConsentMode consent) {
    CallSettings by = PlayedCall.SETTINGS;
    return new PlayedCall(agent, by.with(consent));
  }

  @Test
  void theFirstMessageIsSpokenWordForWord() {
    PlayedCall call = call(shop(quick()).firstMessage("Hi!").build()).talking();
    assertThat(call.toEngine())
        .containsExactly(
            "open [lookup, transfer_call, end_call]", "add ASSISTANT Hi!", "create aside Hi!");
  }

  @Test
  void aToolsOutputAndOneResponseFollowACall() {
    PlayedCall call = call(shop(quick()).build()).talking();
    call.says("i1", "Where is it?");
    String asks = call.created();
    call.calls(asks, "call_1", "lookup", "{}");
    call.calls(asks, "call_1", "lookup", "{}");
    call.calls(asks, "call_2", "lookup", "{\"n\":2}");
    assertThat(call.wire).noneMatch(one -> one.startsWith("output"));
    call.done(asks);
    call.until(() -> call.responses.size() == 2);
    assertThat(runs).hasValue(2);
    assertThat(call.toEngine().stream().filter(one -> one.startsWith("output")))
        .containsExactlyInAnyOrder(
            "output call_1 {\"status\":\"shipped\"}", "output call_2 {\"status\":\"shipped\"}");
    assertThat(call.toEngine().getLast()).isEqualTo("create answer AUTO");
    call.speaks("It is on its way.", 500);
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.ended).containsExactly("hung_up");
    assertThat(store.lines("CA1", 100))
        .extracting(line -> line.key())
        .contains("turn2/input", "turn2/round1/model", "turn2/round1/end", "turn2/round2/model");
    // A chat goes on with it.
    assertThat(
            shop(quick())
                .build()
                .conversation("CA1", ConversationOptions.NONE.withPrincipal("call:CA1"))
                .history())
        .contains(new Message.User("Where is it?"));
  }

  @Test
  void anInterruptionForgetsWhatWasNotHeard() {
    PlayedCall call = call(shop(quick()).build()).talking();
    call.says("i1", "Tell me all.");
    String tells = call.created();
    call.engine(
        new EngineEvent.Spoken(tells, "item-resp1", "One two three four five six seven eight"));
    call.audio(tells, 1000);
    call.carrier(new CarrierEvent.Played("g1.2"));
    call.engine(new EngineEvent.SpeechStarted());
    assertThat(call.toCarrier()).containsExactly("clear");
    assertThat(call.wire).contains("truncate item-resp1 400", "cancel resp1");
    // A mark that the carrier gives back at a clear says nothing.
    call.carrier(new CarrierEvent.Played("g1.5"));
    call.audio(tells, 200);
    call.done(tells, EngineEvent.Status.CANCELLED);
    assertThat(call.wire.getLast()).isEqualTo("cancel resp1");
    call.engine(new EngineEvent.Committed("i2", null));
    call.engine(new EngineEvent.Transcribed("i2", "Stop"));
    assertThat(call.lines)
        .contains("agent: One two three [the caller interrupted here]", "caller: Stop");
  }

  @Test
  void whereNothingSoundsSpeechIsNotAnInterruption() {
    PlayedCall call = call(shop(quick()).build()).talking();
    call.engine(new EngineEvent.SpeechStarted());
    assertThat(call.toEngine()).containsExactly("open [lookup, transfer_call, end_call]");
    assertThat(call.toCarrier()).isEmpty();
  }

  @Test
  void aSlowToolIsExcusedOnce() {
    PlayedCall call = call(shop(slow()).build()).talking();
    call.says("i1", "Check it");
    String asks = call.created();
    call.calls(asks, "call_1", "slow", "{}");
    call.done(asks);
    call.until(() -> call.notes.stream().anyMatch(note -> note.startsWith("tool_call")));
    call.time.awaitSleepers(1);
    call.advance(Duration.ofMillis(1400));
    assertThat(call.responses).hasSize(1);
    // The hint comes from the tool's own timer.
    for (int i = 0; i < 20 && call.responses.size() == 1; i++) {
      call.advance(Duration.ofMillis(100));
      call.until(() -> true);
    }
    call.until(() -> call.responses.size() == 2);
    assertThat(call.toEngine().getLast()).contains("aside").contains("Let me check.");
    call.speaks("Let me check.", 300);
    answered.countDown();
    call.until(() -> call.responses.size() == 3);
    assertThat(call.toEngine().getLast()).isEqualTo("create answer AUTO");
  }

  @Test
  void aGoodbyeIsHeardBeforeTheEnd() {
    PlayedCall call = call(shop(quick()).build()).talking();
    call.says("i1", "Bye");
    String asks = call.created();
    call.calls(asks, "call_1", "end_call", "{\"reason\":\"done\"}");
    call.done(asks);
    // It has said nothing, so it says goodbye first.
    call.until(() -> call.responses.size() == 2);
    assertThat(call.toEngine().getLast()).isEqualTo("create answer NONE");
    String bye = call.created();
    call.audio(bye, 700);
    call.done(bye);
    assertThat(call.toCarrier()).isEmpty();
    call.hearsAll();
    call.until(() -> call.toCarrier().contains("rest hang up"));
    call.until(() -> call.toEngine().stream().anyMatch(one -> one.startsWith("output call_1")));
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.ended).containsExactly("end_call");
    assertThat(call.lines).contains("system: Call ended: done");
    assertThat(call.responses).hasSize(2);
  }

  @Test
  void aCallerWhoSpeaksCallsTheEndOff() {
    PlayedCall call = call(shop(quick()).build()).talking();
    call.says("i1", "Bye");
    String asks = call.created();
    call.engine(new EngineEvent.Spoken(asks, "item-" + asks, "Goodbye!"));
    call.audio(asks, 700);
    call.calls(asks, "call_1", "end_call", "{}");
    call.done(asks);
    call.until(() -> call.notes.stream().anyMatch(note -> note.startsWith("tool_call")));
    call.until(() -> true);
    call.engine(new EngineEvent.SpeechStarted());
    call.until(() -> call.toEngine().stream().anyMatch(one -> one.startsWith("output call_1")));
    assertThat(call.toEngine().toString()).contains("The call was not ended: the caller spoke.");
    assertThat(call.toCarrier()).doesNotContain("rest hang up");
  }

  @Test
  void aCallerWhoSpeaksDoesNotCallOffAnEndThatIsFinal() {
    CallSettings last = PlayedCall.SETTINGS.change().flags(Set.of()).build();
    PlayedCall call = new PlayedCall(shop(quick()).build(), last).talking();
    call.says("i1", "Bye");
    String asks = call.created();
    call.engine(new EngineEvent.Spoken(asks, "item-" + asks, "Goodbye!"));
    call.audio(asks, 700);
    call.calls(asks, "call_1", "end_call", "{}");
    call.done(asks);
    call.until(() -> call.notes.stream().anyMatch(note -> note.startsWith("tool_call")));
    call.until(() -> true);
    call.engine(new EngineEvent.SpeechStarted());
    call.until(() -> call.toCarrier().contains("rest hang up"));
    call.until(() -> call.toEngine().stream().anyMatch(one -> one.startsWith("output call_1")));
    assertThat(call.toEngine().toString()).doesNotContain("The call was not ended");
    assertThat(call.lines).contains("system: Call ended: conversation_complete");
  }

  @Test
  void aTransferIsDecidedByTheCarrier() {
    PlayedCall call = call(shop(quick()).build()).talking();
    call.says("i1", "A person, please");
    String asks = call.created();
    call.audio(asks, 300);
    call.calls(asks, "call_1", "transfer_call", "{\"number\":\"+15559876543\"}");
    call.done(asks);
    call.hearsAll();
    call.until(() -> call.toCarrier().contains("rest transfer +15559876543"));
    call.until(() -> call.toEngine().stream().anyMatch(one -> one.startsWith("output call_1")));
    assertThat(call.toEngine().toString())
        .contains("{\"status\":\"transferring\",\"to\":\"+15559876543\"}");
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.ended).isEmpty();
    call.carrier(new CarrierEvent.Dialed("completed"));
    assertThat(call.ended).containsExactly("transferred");
    assertThat(call.toCarrier()).doesNotContain("rest hang up");
  }

  @Test
  void badNumbersReachNoCarrier() {
    PlayedCall call = call(shop(quick()).build()).talking();
    List<String> bad = List.of("", "null", "+1555987 6543", "15559876543", "+442071234567");
    for (int i = 0; i < bad.size(); i++) {
      call.says("i" + i, "A person");
      String asks = call.created();
      String id = "call_" + i;
      call.calls(asks, id, "transfer_call", "{\"number\":\"" + bad.get(i) + "\"}");
      call.done(asks);
      call.until(() -> call.toEngine().stream().anyMatch(one -> one.startsWith("output " + id)));
      call.until(() -> call.toEngine().getLast().startsWith("create"));
      call.speaks("Sorry.", 100);
    }
    assertThat(call.toCarrier()).isEmpty();
  }

  @Test
  void anOperatorAgreesWhileTheTalkGoesOn() {
    Tool open =
        Tool.dynamic("open_door")
            .mode(ToolMode.LOCAL)
            .handler(a -> "open " + runs.incrementAndGet());
    Agent agent = shop(open).build();
    PlayedCall call = call(agent).talking();
    call.says("i1", "Open");
    String asks = call.created();
    call.calls(asks, "call_1", "open_door", "{}");
    call.done(asks);
    call.until(() -> call.responses.size() == 2);
    assertThat(call.toEngine().toString()).contains("\"code\":\"consent_pending\"");
    call.speaks("Somebody has to agree.", 300);
    String request =
        agent
            .conversation("CA1", ConversationOptions.NONE.withPrincipal("call:CA1"))
            .waiting()
            .getFirst()
            .id();
    agent
        .conversation("CA1", ConversationOptions.NONE.withPrincipal("call:CA1"))
        .decide(request, dev.switchboard.consent.Answer.approveOnce());
    agent.conversation("CA1", ConversationOptions.NONE.withPrincipal("call:CA1")).resume();
    call.until(() -> call.responses.size() == 3);
    assertThat(runs).hasValue(1);
    assertThat(call.toEngine().toString())
        .contains("add USER Result of open_door", "<result>\nopen 1\n</result>");
  }

  @Test
  void theCallerAgreesByAKey() {
    Tool open =
        Tool.dynamic("open_door")
            .mode(ToolMode.LOCAL)
            .handler(a -> "open " + runs.incrementAndGet());
    PlayedCall call = call(shop(open).build(), ConsentMode.CALLER).talking();
    call.says("i1", "Open");
    String asks = call.created();
    call.calls(asks, "call_1", "open_door", "{}");
    call.done(asks);
    call.until(() -> call.responses.size() == 2);
    assertThat(call.toEngine().getLast()).contains("aside").contains("Press 1 for yes");
    call.speaks("Shall I?", 300);
    call.carrier(new CarrierEvent.Pressed('1'));
    call.until(() -> call.responses.size() == 3);
    assertThat(runs).hasValue(1);
    assertThat(call.toEngine().toString())
        .contains("output call_1 open 1")
        .doesNotContain("keypad");
  }

  @Test
  void theCallerIsAskedInTheToolsOwnWords() {
    Tool door =
        Tool.dynamic(
                "open_door",
                "{\"type\":\"object\",\"properties\":{\"door\":{\"type\":\"integer\"}}}")
            .mode(ToolMode.LOCAL)
            .confirm("Shall I open door {door}?")
            .handler(a -> "open");
    PlayedCall call = call(shop(door).build(), ConsentMode.CALLER).talking();
    call.says("i1", "Open");
    String asks = call.created();
    call.calls(asks, "call_1", "open_door", "{\"door\":7}");
    call.done(asks);
    call.until(() -> call.responses.size() == 2);
    assertThat(call.toEngine().getLast()).contains("Shall I open door 7? Press 1 for yes");
  }

  @Test
  void aResultCanBeSilent() {
    PlayedCall call = noting("silent");
    call.hearsAll();
    call.until(
        () -> store.lines("CA1", 100).stream().anyMatch(line -> line.key().equals("turn2/end")));
    assertThat(call.responses).hasSize(1);
  }

  @Test
  void aResultCanWaitUntilTheLineIsIdle() {
    PlayedCall call = noting("when_idle");
    call.until(() -> call.notes.stream().anyMatch(note -> note.startsWith("tool_result")));
    assertThat(call.responses).hasSize(1);
    call.hearsAll();
    call.until(() -> call.responses.size() == 2);
  }

  /// A call with a tool's result that says how it is to be spoken of, while the agent is heard.
  private PlayedCall noting(String speak) {
    Tool note =
        Tool.dynamic("note")
            .mode(ToolMode.READ)
            .handler(a ->
                ToolResult.builder(true)
                    .data(Json.text("{\"speak\":\"" + speak + "\"}"))
                    .text("noted")
                    .build());
    PlayedCall call = call(shop(note).build()).talking();
    call.says("i1", "Note it");
    String asks = call.created();
    call.audio(asks, 200);
    call.calls(asks, "call_1", "note", "{}");
    call.done(asks);
    call.until(() -> call.toEngine().contains("output call_1 noted"));
    return call;
  }

  @Test
  void keysReachTheModelAsOneNote() {
    PlayedCall call = call(shop(quick()).build()).talking();
    call.carrier(new CarrierEvent.Pressed('1'));
    call.carrier(new CarrierEvent.Pressed('2'));
    call.advance(Duration.ofSeconds(2));
    assertThat(call.toEngine())
        .contains("add USER The caller pressed 12 on the keypad.", "create answer AUTO");
    assertThat(call.lines).contains("caller: [DTMF: 2 keys]");
  }

  @Test
  void rulesHoldOnTheLine() {
    Agent agent = shop(quick()).rules(ToolRule.of("lookup", new RuleType.MaxCalls(1))).build();
    PlayedCall call = call(agent).talking();
    call.says("i1", "Where?");
    String asks = call.created();
    call.calls(asks, "call_1", "lookup", "{}");
    call.done(asks);
    call.until(() -> call.responses.size() == 2);
    assertThat(call.responses.getLast().tools())
        .extracting(tool -> tool.name())
        .containsExactly("transfer_call", "end_call");
    String again = call.created();
    call.calls(again, "call_2", "lookup", "{}");
    call.done(again);
    call.until(() -> call.responses.size() == 3);
    assertThat(runs).hasValue(1);
  }

  @Test
  void aConflictKeepsWhatIsWanted() {
    PlayedCall call = call(shop(quick()).build()).talking();
    call.says("i1", "Hello");
    call.engine(new EngineEvent.Refused(null, EngineEvent.Refused.RESPONSE_ACTIVE, "there is one"));
    assertThat(call.responses).hasSize(1);
    call.done("of another");
    assertThat(call.responses).hasSize(2);
  }

  @Test
  void aLateResultIsHandedOverAtOnce() {
    PlayedCall call = call(shop(slow()).build()).talking();
    call.says("i1", "Check it");
    String asks = call.created();
    call.calls(asks, "call_1", "slow", "{}");
    call.done(asks);
    call.says("i2", "And something else");
    call.speaks("Yes?", 200);
    answered.countDown();
    call.until(() -> call.toEngine().contains("output call_1 done"));
    call.until(() -> call.responses.size() == 3);
    assertThat(call.toEngine().stream().filter(one -> one.startsWith("output"))).hasSize(1);
  }

  @Test
  void theEngineIsOpenedAgainWithWhatWasSaid() {
    PlayedCall call = call(shop(quick()).build()).talking();
    call.says("i1", "Hello");
    call.speaks("Good day.", 200);
    call.engine(new EngineEvent.Lost(false, "closed", "gone"));
    call.advance(Duration.ofSeconds(1));
    assertThat(call.wire.stream().filter(one -> one.startsWith("open"))).hasSize(2);
    call.engine(new EngineEvent.Ready());
    call.says("i2", "Are you there?");
    assertThat(call.responses).hasSize(2);
  }

  @Test
  void aFatalLossIsToldByTheCarriersVoice() {
    PlayedCall call = call(shop(quick()).build()).talking();
    call.engine(new EngineEvent.Lost(true, "invalid_api_key", "no"));
    call.until(() -> call.toCarrier().stream().anyMatch(one -> one.startsWith("rest say")));
    call.advance(Duration.ofSeconds(20));
    assertThat(call.ended).containsExactly("failed");
  }

  @Test
  void theEndComesOnce() {
    PlayedCall call = call(shop(quick()).build()).talking();
    call.carrier(new CarrierEvent.Disconnected());
    call.carrier(new CarrierEvent.Status("completed"));
    call.carrier(new CarrierEvent.Disconnected());
    call.engine(new EngineEvent.Lost(false, "closed", "gone"));
    assertThat(call.ended).containsExactly("hung_up");
  }

  @Test
  void silenceIsAskedAboutAndThenEndsTheCall() {
    PlayedCall call = call(shop(quick()).build()).talking();
    call.advance(Duration.ofSeconds(61));
    assertThat(call.toEngine().getLast()).contains("Are you still there?");
    String asks = call.created();
    call.done(asks);
    call.advance(Duration.ofSeconds(61));
    assertThat(call.toEngine().getLast()).contains("Goodbye.");
    call.speaks("Goodbye.", 200);
    call.until(() -> call.toCarrier().contains("rest hang up"));
  }
}
