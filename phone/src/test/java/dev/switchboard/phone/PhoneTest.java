package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.agent.Agent;
import dev.switchboard.harness.Ports;
import dev.switchboard.phone.call.CallSettings.Transfer;
import dev.switchboard.phone.carrier.twilio.Twilio;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.SimulatedCall;
import dev.switchboard.phone.testing.TwilioSimulator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class PhoneTest {
  private static final String URL = "https://phone.example.com";
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @Test
  void everythingThatIsMissingIsNamedAtOnce() {
    assertThatThrownBy(
            () -> Phone.builder().carrier(null).number(null).publicUrl(null).engine(null).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "a phone needs a carrier: Phone.builder().carrier(..);"
                + " a phone needs a number: Phone.builder().number(..);"
                + " a phone needs a publicUrl: Phone.builder().publicUrl(..);"
                + " a phone needs an engine: Phone.builder().engine(..)");
    assertThatThrownBy(() -> Phone.builder().number("555").build())
        .hasMessageContaining("is not a phone number");
  }

  @Test
  void transferCallNeedsDestinations() {
    PhoneBuilder phone =
        Phone.builder()
            .carrier(Twilio.of("AC" + "0".repeat(32), "t"))
            .number("+15550001234")
            .publicUrl(URL)
            .engine(OpenAiRealtime.of("sk"));
    assertThat(phone.build().number()).isEqualTo("+15550001234");
    phone.systemTools("transfer_call");
    assertThatThrownBy(phone::build)
        .hasMessage("transfer_call needs destinations: Phone.builder().transfer(..)");
    assertThat(phone.transfer(Transfer.to(Map.of("support", "+15550001111"))).build()).isNotNull();
    for (Transfer wrong :
        List.of(
            new Transfer(Map.of(), List.of(), true),
            new Transfer(Map.of("a", "555"), List.of(), false),
            new Transfer(Map.of(), List.of("1"), true))) {
      assertThatThrownBy(() -> phone.transfer(wrong)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void anAgentWithoutModelAndStoreAnswers() throws Exception {
    int port = Ports.free();
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
      Awaitility.await().until(() -> call.streams() == 1 && !call.recording().heard(500).isEmpty());
      call.hangUp();
      call.awaitOver(PATIENCE);
      assertThat(call.faults()).isEmpty();
    }
  }
}
