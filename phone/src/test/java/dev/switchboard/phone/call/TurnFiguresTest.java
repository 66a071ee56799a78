package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.handler.Tool;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is noted of how long callers wait.
class TurnFiguresTest {
  private final PlayedCall call =
      new PlayedCall(
              Agent.builder("Shop")
                  .prompt("You sell.")
                  .tools(
                      Tool.dynamic("look_up")
                          .mode(ToolMode.READ)
                          .handler(arguments -> "on its way"))
                  .build(),
              PlayedCall.SETTINGS)
          .talking();

  private void preamble(String response, int milliseconds) {
    byte[] audio = new byte[milliseconds * PlayoutLedger.BYTES_PER_MS];
    call.engine(new EngineEvent.Audio(response, "preamble-" + response, 0, audio).ofPreamble());
  }

  private void waits(int milliseconds) {
    call.advance(Duration.ofMillis(milliseconds));
  }

  /// The figures after the caller has hung up.
  private List<String> figures() {
    call.carrier(new CarrierEvent.Disconnected());
    return call.notes.stream().filter(note -> note.startsWith("figures ")).toList();
  }

  @Test
  void aPreambleIsNotTheAnswer() {
    call.says("i1", "Where is my order?");
    String answers = call.created();
    waits(300);
    preamble(answers, 200);
    waits(400);
    preamble(answers, 200);
    waits(1_000);
    call.audio(answers, 500);
    waits(100);
    call.audio(answers, 500);
    call.done(answers);

    assertThat(figures())
        .containsExactly("figures {\"turn\":2,\"answer_ms\":1700,\"filler_ms\":300}");
    assertThat(call.notes).filteredOn(note -> note.startsWith("audio ")).hasSize(1);
  }

  @Test
  void theAnswerMayComeInTheResponseAfterTheTools() {
    call.says("i1", "Where is my order?");
    String looks = call.created();
    waits(300);
    preamble(looks, 200);
    call.calls(looks, "c1", "look_up", "{}");
    call.done(looks);
    call.hearsAll();
    call.until(() -> call.responses.size() == 2);
    waits(900);
    String answers = call.created();
    call.audio(answers, 500);
    call.done(answers);

    assertThat(figures())
        .singleElement()
        .asString()
        .contains("\"answer_ms\":1200,\"filler_ms\":300");
  }

  @Test
  void aTurnMayHaveAPreambleOnly() {
    call.says("i1", "Where is my order?");
    String answers = call.created();
    waits(300);
    preamble(answers, 200);
    call.done(answers);

    assertThat(figures()).containsExactly("figures {\"turn\":2,\"filler_ms\":300}");
  }

  @Test
  void aPreambleIsHeardAndCutAsTheRest() {
    call.says("i1", "Where is my order?");
    String answers = call.created();
    call.engine(new EngineEvent.Spoken(answers, "preamble-" + answers, "Let me see."));
    preamble(answers, 1_000);
    call.hearsAll();
    preamble(answers, 1_000);
    call.engine(new EngineEvent.SpeechStarted());

    assertThat(call.toEngine()).contains("truncate preamble-" + answers + " 1000");
    call.done(answers, EngineEvent.Status.CANCELLED);
    assertThat(call.lines).contains("agent: Let [the caller interrupted here]");
  }

  @Test
  void whatTheAgentWasSayingWhenKeysWerePressedDoesNotAnswerThem() {
    call.says("i1", "Where is my order?");
    String answers = call.created();
    waits(300);
    call.audio(answers, 200);
    call.carrier(new CarrierEvent.Pressed('1'));
    call.carrier(new CarrierEvent.Pressed('#'));
    call.audio(answers, 200);
    call.done(answers);
    call.hearsAll();
    waits(500);
    String follows = call.created();
    call.audio(follows, 200);
    call.done(follows);

    assertThat(figures())
        .containsExactly(
            "figures {\"turn\":2,\"answer_ms\":300}", "figures {\"turn\":3,\"answer_ms\":500}");
  }
}
