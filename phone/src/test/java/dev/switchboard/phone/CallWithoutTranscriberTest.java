package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;
import dev.switchboard.phone.engine.realtime.Transcriber;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import dev.switchboard.phone.testing.SimulatedCall;
import dev.switchboard.phone.testing.Speech;
import dev.switchboard.phone.testing.TwilioSimulator;
import dev.switchboard.testing.ScriptedModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A call whose transcriber the provider does not have, over the wire of both sides.
final class CallWithoutTranscriberTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String NUMBER = "+15550001234";
  private static final String URL = "https://phone.example.com";

  private final List<String> heard = new CopyOnWriteArrayList<>();

  @TempDir Path folder;

  @Test
  void anUnknownTranscriberLeavesTheCallUp() throws Exception {
    Agent shop =
        Agent.builder("Shop")
            .model(ScriptedModel.answering(request -> ModelReply.text("Hello.")))
            .store(new InProcessConversations())
            .build();
    try (RealtimeSimulator model =
            RealtimeSimulator.builder().script(view -> Reply.say("It comes on Monday.")).start();
        TwilioSimulator twilio = TwilioSimulator.start()) {
      OpenAiRealtime engine = OpenAiRealtime.of("sk-test").withBaseUrl(model.url());
      Phone phone =
          Phone.builder()
              .carrier(twilio.carrier())
              .number(NUMBER)
              .publicUrl(URL)
              .engine(engine.withTranscriber(new Transcriber("gone-1", List.of(), List.of())))
              .onTranscript(line -> heard.add(line.role() + ": " + line.text()))
              .build();
      try (ServedPhone served = ServedPhone.of(phone, shop, folder)) {
        twilio.tunnel(URL, served.address());
        SimulatedCall call = twilio.call(URL, "+14155550100", NUMBER);
        call.awaitStreams(1, PATIENCE);
        call.say(Speech.of("When does it come?"));
        call.say(MuLaw.silence(Duration.ofSeconds(1)));
        Awaitility.await().until(() -> heard.contains("agent: It comes on Monday."));
        call.hangUp();

        assertThat(model.sessions()).hasSize(1);
        assertThat(call.faults()).isEmpty();
      }
    }
  }
}
