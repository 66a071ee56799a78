package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.testing.ScriptedModel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What a caller hears of an engine that is lost, silent or about to end, and what is noted of it.
final class EngineLossTest {
  private final InProcessConversations store = new InProcessConversations();

  private PlayedCall call() {
    return call(PlayedCall.SETTINGS);
  }

  private PlayedCall call(CallSettings settings) {
    Agent shop =
        Agent.builder("Shop")
            .model(ScriptedModel.answering(request -> ModelReply.text("Hello.")))
            .store(store)
            .build();
    return new PlayedCall(shop, settings).talking();
  }

  @Test
  void aSoftToneIsHeardUntilThereIsAnotherSession() {
    PlayedCall call = call();
    call.says("i1", "Hello");
    call.engine(new EngineEvent.Lost(false, "closed", "gone"));
    long sounded = call.wire.stream().filter(one -> one.startsWith("play")).count();
    assertThat(sounded).isPositive();
    call.advance(Duration.ofSeconds(1));
    assertThat(call.toEngine().getLast()).startsWith("open");
    call.engine(new EngineEvent.Ready());
    assertThat(call.toCarrier()).containsExactly("clear");
    assertThat(call.toEngine().getLast()).contains("One moment, please.");
    call.speaks("One moment, please.", 200);
    assertThat(call.toEngine().getLast()).isEqualTo("create answer AUTO");
    call.advance(Duration.ofSeconds(5));
    assertThat(call.wire.stream().filter(one -> one.equals("play 200"))).hasSize((int) sounded + 1);
  }

  @Test
  void endsCallAfterThreeLostReconnects() {
    PlayedCall call = call();
    for (int i = 1; i <= 3; i++) {
      call.engine(new EngineEvent.Lost(false, "closed", "gone"));
      call.advance(Duration.ofMillis(250L << i));
      assertThat(call.setups).hasSize(i + 1);
    }
    call.engine(new EngineEvent.Lost(false, "closed", "gone"));
    call.until(() -> call.toCarrier().stream().anyMatch(one -> one.startsWith("rest say I am")));
    call.advance(Duration.ofSeconds(10));
    assertThat(call.setups).hasSize(4);
  }

  @Test
  void audioThatTheEngineWasTooSlowForIsCounted() {
    PlayedCall call = call();
    call.dropped = 340;
    call.engine(new EngineEvent.Lost(false, "closed", "gone"));
    call.advance(Duration.ofSeconds(1));
    call.engine(new EngineEvent.Ready());
    call.carrier(new CarrierEvent.Disconnected());

    String counted = "audio_dropped {\"ms\":340}";
    assertThat(call.notes)
        .filteredOn(note -> note.startsWith("audio_dropped"))
        .containsExactly(counted, counted);
  }

  @Test
  void nothingIsSaidOfALossThatNoOneWaitsIn() {
    PlayedCall call = call();
    call.engine(new EngineEvent.Lost(false, "closed", "gone"));
    call.advance(Duration.ofSeconds(1));
    call.engine(new EngineEvent.Ready());
    assertThat(call.responses).isEmpty();
  }

  @Test
  void aSilentModelEndsTheTurn() {
    PlayedCall call = call();
    call.says("i1", "Hello");
    String answers = call.created();
    call.advance(Duration.ofSeconds(30));
    assertThat(call.toEngine()).contains("cancel " + answers);
    // Nothing is created before the cancelled one has ended.
    assertThat(call.responses).hasSize(1);
    call.done(answers, EngineEvent.Status.CANCELLED);
    assertThat(call.toEngine().getLast()).contains("went wrong on our side");
    assertThat(store.lines("CA1", 100))
        .filteredOn(line -> line.key().equals("turn2/end"))
        .singleElement()
        .satisfies(line -> assertThat(line.entry().text()).contains("model_timeout"));
  }

  @Test
  void aFailedResponseEndsTheTurn() {
    PlayedCall call = call();
    call.says("i1", "Hello");
    call.done(call.created(), EngineEvent.Status.FAILED);
    assertThat(store.lines("CA1", 100))
        .filteredOn(line -> line.key().equals("turn2/end"))
        .singleElement()
        .satisfies(line -> assertThat(line.entry().text()).contains("model_error"));
  }

  @Test
  void replacesOldEngineSessionInSilence() {
    CallSettings by = PlayedCall.SETTINGS;
    CallSettings.Limits lasting =
        new CallSettings.Limits(Duration.ofHours(2), 50, Duration.ofHours(3), by.limits().drain());
    PlayedCall call = call(by.with(lasting));
    call.says("i1", "Hello");
    call.speaks("Hello.", 500);
    call.engine(new EngineEvent.SpeechStarted());
    call.advance(Duration.ofMinutes(50));
    assertThat(call.wire).doesNotContain("end of engine");
    call.engine(new EngineEvent.Committed("i2", null));
    call.speaks("Yes.", 500);
    call.advance(Duration.ofSeconds(1));
    assertThat(call.wire).contains("end of engine");
    assertThat(call.toEngine().getLast()).startsWith("open");
    assertThat(call.notes).contains("engine_recycled {}");
    call.engine(new EngineEvent.Ready());
    assertThat(call.responses).hasSize(2);
  }

  @Test
  void theFiguresOfATurnAreNoted() {
    PlayedCall call = call();
    call.says("i1", "Hello");
    String answers = call.created();
    call.advance(Duration.ofMillis(700));
    call.audio(answers, 500);
    call.engine(
        new EngineEvent.Done(
            answers, EngineEvent.Status.COMPLETED, null, new ModelReply.Usage(10, 20)));
    call.hearsAll();
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.notes).contains("figures {\"turn\":2,\"answer_ms\":700}");
    assertThat(call.usage).isEqualTo(new ModelReply.Usage(10, 20));
  }
}
