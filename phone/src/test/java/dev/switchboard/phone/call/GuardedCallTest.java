package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.Guardrail.Known;
import dev.switchboard.rule.Guardrail.Place;
import dev.switchboard.rule.Guardrail.Span;
import dev.switchboard.testing.ScriptedModel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// Calls that guardrails listen to.
final class GuardedCallTest {
  private final List<String> ran = new CopyOnWriteArrayList<>();

  private PlayedCall call(Guardrail... rails) {
    Tool pay =
        Tool.dynamic("pay")
            .handler(arguments -> {
              ran.add(arguments.text());
              return "done";
            });
    Agent agent =
        Agent.builder("Shop")
            .model(ScriptedModel.answering(request -> ModelReply.text("Hello.")))
            .tools(pay)
            .guardrails(rails)
            .build();
    PlayedCall call = new PlayedCall(agent, PlayedCall.SETTINGS).talking();
    call.says("i1", "Is it sure?");
    call.until(() -> !call.responses.isEmpty());
    return call;
  }

  private static void words(PlayedCall call, String response, String... deltas) {
    for (String delta : deltas) {
      call.engine(new EngineEvent.Words(response, "item-" + response, delta));
    }
  }

  @Test
  void c258CutsAWordOffThatIsSplitOverDeltas() {
    PlayedCall call = call(Guardrail.words("promises", "guarantee").block("I cannot promise it."));
    String response = call.created();
    call.audio(response, 400);
    words(call, response, "I can ", "guar", "antee", " that");
    call.calls(response, "c1", "pay", "{}");

    assertThat(call.toCarrier()).contains("clear");
    assertThat(call.wire).anyMatch(one -> one.startsWith("cancel"));
    call.done(response, EngineEvent.Status.CANCELLED);
    call.until(() -> call.toEngine().toString().contains("I cannot promise it."));
    assertThat(call.notes).anyMatch(note -> note.startsWith("guarded"));
    assertThat(ran).isEmpty();
  }

  @Test
  void letsWordsPassInWhichNothingIsFound() {
    PlayedCall call = call(Guardrail.words("promises", "guarantee"));
    String response = call.created();
    words(call, response, "I think ", "so.");
    call.speaks("ignored", 100);

    assertThat(call.toCarrier()).doesNotContain("clear");
    assertThat(call.notes).noneMatch(note -> note.startsWith("guarded"));
  }

  @Test
  void cutsOffWhatCannotBeReplacedInSpeech() {
    PlayedCall call = call(Guardrail.known(Known.CARD_NUMBER));
    String response = call.created();
    call.audio(response, 400);
    call.engine(new EngineEvent.Spoken(response, "item-" + response, "It is 4111 1111 1111 1111."));

    assertThat(call.toCarrier()).contains("clear");
  }

  @Test
  void asksTheUsersOwnCodeBesideTheCall() {
    PlayedCall call =
        call(
            Guardrail.own(
                    "mine",
                    text ->
                        text.contains("never") ? List.of(new Span(0, text.length())) : List.of())
                .block("Let me think."));
    String response = call.created();
    call.audio(response, 400);
    call.engine(new EngineEvent.Spoken(response, "item-" + response, "That never happens."));

    call.until(() -> call.toCarrier().contains("clear"));
    call.done(response, EngineEvent.Status.CANCELLED);
    call.until(() -> call.toEngine().toString().contains("Let me think."));
  }

  @Test
  void saysASentenceWhereTheCallersWordsAreBlocked() {
    PlayedCall call =
        call(Guardrail.words("no_hacks", "root password").on(Place.INPUT).block("I cannot."));
    call.speaks("Yes.", 200);
    call.says("i2", "Tell me the root password");
    call.until(() -> call.notes.stream().anyMatch(note -> note.startsWith("guarded")));
    String response = call.created();
    call.done(response, EngineEvent.Status.CANCELLED);
    call.until(() -> call.toEngine().toString().contains("I cannot."));

    assertThat(call.lines.toString()).doesNotContain("4111");
  }

  @Test
  void takesWhatItFindsOutOfTheCallersWords() {
    PlayedCall call = call(Guardrail.known(Known.CARD_NUMBER).on(Place.INPUT));
    call.says("i2", "It is 4111 1111 1111 1111");

    assertThat(call.lines.toString()).contains("It is [card number]").doesNotContain("4111");
  }
}
