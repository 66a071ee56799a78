package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// An engine, or a carrier, that does what none should.
final class HostileCallTest {
  private final AtomicInteger ran = new AtomicInteger();
  private final PlayedCall call =
      new PlayedCall(
              Agent.builder("Shop")
                  .model(ScriptedModel.answering(request -> ModelReply.text("Hello.")))
                  .tools(
                      Tool.dynamic("count")
                          .mode(ToolMode.READ)
                          .handler(arguments -> "n" + ran.incrementAndGet()))
                  .build(),
              PlayedCall.SETTINGS)
          .talking();

  private long answers() {
    return call.responses.stream().filter(one -> !one.aside()).count();
  }

  @Test
  void cancelsUnrequestedResponses() {
    for (int i = 0; i < 100; i++) {
      call.engine(new EngineEvent.Created("own" + i, null));
      call.audio("own" + i, 100);
      call.calls("own" + i, "x" + i, "count", "{}");
      call.advance(Duration.ofSeconds(1));
    }
    assertThat(call.played).isEmpty();
    assertThat(call.wire).contains("cancel own0", "cancel own99");
    for (int i = 0; i < 100; i++) {
      call.done("own" + i);
    }
    assertThat(ran).hasValue(0);
    call.says("i1", "Hello?");
    assertThat(answers()).isOne();
  }

  @Test
  void unrequestedResponsesDoNotBlockTheLine() {
    call.says("i1", "Hello?");
    String first = call.created();
    call.done(first);
    for (int i = 0; i < 100; i++) {
      call.engine(new EngineEvent.Created("own" + i, null));
      call.advance(Duration.ofSeconds(1));
      if (i == 0) {
        call.says("i2", "Are you there?");
      }
    }
    assertThat(answers()).isGreaterThan(1);
  }

  @Test
  void audioAndWordsOfUnknownResponsesSayNothing() {
    call.says("i1", "Hello?");
    call.audio("nobody", 1_000);
    call.engine(new EngineEvent.Spoken("nobody", "item", "I was never asked"));
    call.engine(new EngineEvent.Done("nobody", EngineEvent.Status.COMPLETED, null, huge()));
    assertThat(call.played).isEmpty();
    assertThat(call.lines).noneMatch(line -> line.contains("never asked"));
    call.speaks("Hello.", 200);
    assertThat(call.lines).contains("agent: Hello.");
  }

  private static ModelReply.Usage huge() {
    return new ModelReply.Usage(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  @Test
  void figuresThatCannotBeDoNotBreakTheCall() {
    for (int i = 0; i < 3; i++) {
      call.says("i" + i, "Hello?");
      String response = call.created();
      call.audio(response, 100);
      call.engine(new EngineEvent.Done(response, EngineEvent.Status.COMPLETED, null, huge()));
      call.hearsAll();
    }
    assertThat(answers()).isEqualTo(3);
  }

  @Test
  void anItemThatIsCommittedTwiceIsOneTurn() {
    call.says("i1", "Hello?");
    call.speaks("Hello.", 200);
    call.says("i1", "Hello again?");
    call.says("i2", "And now?");
    assertThat(call.ended).isEmpty();
    assertThat(call.notes).noneMatch(note -> note.startsWith("failed"));
  }

  @Test
  void wordsOfItemsThatNoOneCommitsAreForgotten() {
    for (int i = 0; i < 5_000; i++) {
      call.engine(new EngineEvent.Transcribed("early" + i, "x".repeat(1_000)));
      call.lines.clear();
    }
    call.says("i1", "Hello?");
    assertThat(answers()).isOne();
  }

  @Test
  void endlessWordsAreCutOff() {
    call.says("i1", "Tell me a story.");
    String response = call.created();
    String delta = "x".repeat(1 << 20);
    for (int i = 0; i < 7; i++) {
      call.engine(new EngineEvent.Words(response, "item" + i, delta));
    }
    call.audio(response, 100);
    call.done(response);
    call.hearsAll();
    assertThat(call.lines.getLast().length()).isLessThan(1 << 20);
  }

  @Test
  void thousandsOfCallsInOneResponseHaveOneOutputEach() {
    call.says("i1", "Count.");
    String response = call.created();
    for (int i = 0; i < 500; i++) {
      call.calls(response, "c" + i, "count", "{}");
    }
    call.done(response);
    call.until(() -> answers() == 2);
    assertThat(call.wire.stream().filter(one -> one.startsWith("output "))).hasSize(500);
  }

  @Test
  void hugeArgumentsAreRefusedOrRun() {
    call.says("i1", "Count.");
    String response = call.created();
    call.calls(response, "c1", "count", "{\"a\":\"" + "x".repeat(1 << 20) + "\"}");
    call.calls(response, "c2", "count", "[".repeat(100_000));
    call.calls(response, "c3", "count".repeat(100_000), "{}");
    call.done(response);
    call.until(() -> answers() == 2);
    assertThat(call.wire.stream().filter(one -> one.startsWith("output "))).hasSize(3);
  }

  @Test
  void aFloodOfKeysIsBounded() {
    for (int i = 0; i < 5_000; i++) {
      call.carrier(new CarrierEvent.Pressed("0123456789*#".charAt(i % 11)));
    }
    call.advance(Duration.ofSeconds(3));
    assertThat(call.wire.stream().filter(one -> one.startsWith("create "))).hasSizeLessThan(5);
  }

  @Test
  void aCallWhoseAudioNeverComesIsEndedAfterAMinute() {
    PlayedCall silent =
        new PlayedCall(
            Agent.builder("Shop")
                .model(ScriptedModel.answering(request -> ModelReply.text("Hello.")))
                .build(),
            PlayedCall.SETTINGS);
    silent.session.ring();
    silent.drain();
    silent.advance(Duration.ofSeconds(61));
    silent.until(() -> silent.toCarrier().contains("rest hang up"));
    silent.advance(Duration.ofSeconds(21));
    silent.until(() -> silent.ended.contains("no_audio"));

    call.advance(Duration.ofSeconds(61));
    assertThat(call.toCarrier()).doesNotContain("rest hang up");
  }
}
