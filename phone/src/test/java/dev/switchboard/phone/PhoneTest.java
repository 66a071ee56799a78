package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.SimulatedCall;
import dev.switchboard.phone.testing.TwilioSimulator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class PhoneTest {
  private static final String URL = "https://phone.example.com";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void anAgentWithoutModelAndStoreAnswers() throws Exception {
    int port = freePort();
    Agent shop = Agent.builder("Shop").prompt("You sell.").firstMessage("Hi!").build();
    try (TwilioSimulator twilio = TwilioSimulator.start();
        RealtimeSimulator engine = RealtimeSimulator.of();
        AutoCloseable server =
            Phone.builder()
                .carrier(twilio.carrier())
                .number("+15550001234")
                .publicUrl(URL)
                .engine(OpenAiRealtime.of("sk").withBaseUrl(engine.url()))
                .build()
                .serve(shop, port)) {
      assertThat(server).isNotNull();
      twilio.tunnel(URL, "http://127.0.0.1:" + port);
      SimulatedCall call = twilio.call(URL, "+14155550100", "+15550001234");
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> call.streams() == 1 && !call.recording().heard(500).isEmpty());
      call.hangUp();
      call.awaitOver(PATIENCE);
      assertThat(call.faults()).isEmpty();
    }
  }
}
