package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolOptions.InterruptPolicy;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolMode;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// What becomes of words and tools when the caller speaks over the agent.
final class InterruptionTest {
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);

  private static Agent shop(Tool... tools) {
    return Agent.builder("Shop")
        .model(ScriptedModel.answering(request -> ModelReply.text("Hello.")))
        .firstMessage("Hi!")
        .tools(tools)
        .build();
  }

  private Tool slow(InterruptPolicy policy) {
    Tool.DynamicBuilder tool = Tool.dynamic("slow").mode(ToolMode.READ);
    if (policy != null) {
      tool.onInterrupt(policy);
    }
    return tool.handler(arguments -> {
      begun.countDown();
      answered.await();
      return "done";
    });
  }

  private static CallSettings disclosing() {
    CallSettings by = PlayedCall.SETTINGS;
    return by.with(by.words().with(Phrase.DISCLOSURE, "This call is recorded."));
  }

  @Test
  void disclosurePlaysOnAndTheRestIsDropped() {
    PlayedCall call = new PlayedCall(shop(), disclosing()).talking();
    assertThat(call.toEngine().getLast()).contains("This call is recorded.");
    String told = call.created();
    call.audio(told, 400);
    call.engine(new EngineEvent.SpeechStarted());
    call.audio(told, 200);
    call.done(told);
    assertThat(call.toCarrier()).isEmpty();
    assertThat(call.wire).contains("play 200").noneMatch(one -> one.startsWith("cancel"));
    // The first message waits until the caller is silent.
    assertThat(call.responses).hasSize(1);
    call.hearsAll();
    assertThat(call.toCarrier()).isEmpty();
    call.engine(new EngineEvent.Committed("i1", null));
    assertThat(call.toEngine().toString()).contains("Hi!");
  }

  @Test
  void dropsWhatFollowsADisclosureOnceItIsHeard() {
    PlayedCall call = new PlayedCall(shop(), disclosing()).talking();
    String told = call.created();
    call.audio(told, 400);
    call.done(told);
    String greets = call.created();
    call.audio(greets, 600);
    call.engine(new EngineEvent.SpeechStarted());
    assertThat(call.toCarrier()).isEmpty();
    call.carrier(new CarrierEvent.Played("g1.2"));
    assertThat(call.toCarrier()).containsExactly("clear");
    assertThat(call.notes).contains("interrupted {}");
  }

  @Test
  void aToolThatSaysSoIsCancelledByTheCallersSpeech() {
    PlayedCall call = speakingBesideTool(slow(InterruptPolicy.CANCEL));
    call.engine(new EngineEvent.SpeechStarted());
    call.until(() -> call.toEngine().stream().anyMatch(one -> one.startsWith("output call_1")));
    assertThat(call.toEngine().toString()).contains("cancelled");
  }

  @Test
  void whatFollowsFromItsModeIsNotEnough() {
    PlayedCall call = speakingBesideTool(slow(null));
    call.engine(new EngineEvent.SpeechStarted());
    call.says("i2", "Wait");
    answered.countDown();
    call.until(() -> call.toEngine().contains("output call_1 done"));
  }

  /// A call in which a tool runs while words of ours are heard.
  private PlayedCall speakingBesideTool(Tool tool) {
    PlayedCall call = new PlayedCall(shop(tool), PlayedCall.SETTINGS).talking();
    call.speaks("Hi!", 200);
    call.says("i1", "Check it");
    String asks = call.created();
    call.audio(asks, 800);
    call.calls(asks, "call_1", "slow", "{}");
    call.done(asks);
    call.until(() -> begun.getCount() == 0);
    return call;
  }
}
