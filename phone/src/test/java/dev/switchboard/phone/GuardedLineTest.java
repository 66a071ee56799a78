package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.harness.Vectors;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import dev.switchboard.phone.testing.SimulatedCall;
import dev.switchboard.phone.testing.Speech;
import dev.switchboard.phone.testing.TwilioSimulator;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.testing.ScriptedModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A guardrail on a line: over the wire of both sides.
final class GuardedLineTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String NUMBER = "+15550001234";
  private static final String URL = "https://phone.example.com";

  private final List<String> heard = new CopyOnWriteArrayList<>();

  @TempDir Path folder;

  @Test
  void c258CutsOffAWordThatComesInPieces() throws Exception {
    assertThat(Vectors.expect("C258").path("blocked").booleanValue()).isTrue();
    Agent shop =
        Agent.builder("Shop")
            .model(ScriptedModel.answering(request -> ModelReply.text("Hello.")))
            .store(new InProcessConversations())
            .guardrails(Guardrail.words("promises", "guarantee").block("I cannot promise that."))
            .build();
    try (RealtimeSimulator model =
            RealtimeSimulator.builder()
                .script(view -> Reply.say("Well, I guarantee you that it comes on Monday at ten."))
                .transcripts("Is it sure?")
                .start();
        TwilioSimulator twilio = TwilioSimulator.start()) {
      Phone phone =
          Phone.builder()
              .carrier(twilio.carrier())
              .number(NUMBER)
              .publicUrl(URL)
              .engine(OpenAiRealtime.of("sk-test").withBaseUrl(model.url()))
              .onTranscript(line -> heard.add(line.role() + ": " + line.text()))
              .build();
      try (ServedPhone served = ServedPhone.of(phone, shop, folder)) {
        twilio.tunnel(URL, served.address());
        SimulatedCall call = twilio.call(URL, "+14155550100", NUMBER);
        call.awaitStreams(1, PATIENCE);
        call.say(Speech.of("Is it sure?"));
        call.say(MuLaw.silence(Duration.ofSeconds(1)));
        Awaitility.await().until(() -> heard.toString().contains("agent: I cannot promise that."));
        call.hangUp();

        assertThat(heard.toString()).doesNotContain("Monday");
        assertThat(model.session().lines().toString()).doesNotContain("Monday");
        assertThat(call.faults()).isEmpty();
      }
    }
  }
}
