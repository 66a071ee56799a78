package dev.switchboard.phone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.mount.Mount;
import dev.switchboard.server.Server;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the simulator refuses, as the carrier would.
class TwilioStrictnessTest {
  private static final String STREAM = "wss://phone.example.com/phone/twilio/media";

  private final TwilioSimulator simulator = TwilioSimulator.start(10);
  private @Nullable Server server;

  @AfterEach
  void close() {
    simulator.close();
    if (server != null) {
      server.close();
    }
  }

  private static String twiml(String inside) {
    return "<Response>" + inside + "</Response>";
  }

  /// A call that is answered with that TwiML and, once its stream has started, with the message
  /// that is made of the stream's id.
  private SimulatedCall call(String twiml, UnaryOperator<String> message) {
    server =
        Desk.serve(
            List.of(
                new Mount.Http(
                    "POST",
                    "/phone/twilio/voice",
                    Mount.Check.OWN,
                    (in, out) -> out.send(200, Map.of("Content-Type", "text/xml"), twiml)),
                new Mount.Http(
                    "POST",
                    "/phone/twilio/status",
                    Mount.Check.OWN,
                    (in, out) -> out.send(204, Map.of(), "")),
                new Mount.Socket("/phone/twilio/media", Mount.Check.OWN, new Speaker(message))));
    simulator.tunnel(Desk.URL, "http://127.0.0.1:" + server.port());
    SimulatedCall call = simulator.call(Desk.URL, "+1555", "+1666");
    call.awaitOver(Desk.PATIENCE);
    return call;
  }

  private record Speaker(UnaryOperator<String> message) implements Mount.Acceptor {
    @Override
    public Mount.@Nullable Refusal refusal(Mount.Request request) {
      return null;
    }

    @Override
    public Mount.Listener open(Mount.Request request, Mount.Channel channel) {
      return new Mount.Listener() {
        @Override
        public void message(String text) {
          if (text.contains("\"event\":\"start\"")) {
            var unused =
                channel.send(
                    message.apply(text.replaceAll("(?s).*\"streamSid\":\"(MZ\\w+)\".*", "$1")));
          }
        }

        @Override
        public void closed(int code) {}
      };
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello",
        "{\"event\":\"stop\",\"streamSid\":\"%s\"}",
        "{\"streamSid\":\"%s\"}",
        "{\"event\":\"clear\",\"streamSid\":\"MZ1\"}",
        "{\"event\":\"clear\"}",
        "{\"event\":\"mark\",\"streamSid\":\"%s\",\"mark\":{}}",
        "{\"event\":\"media\",\"streamSid\":\"%s\",\"media\":{}}",
        "{\"event\":\"media\",\"streamSid\":\"%s\",\"media\":{\"payload\":\"!\"}}",
        "{\"event\":\"media\",\"streamSid\":\"%s\",\"media\":{\"payload\":\"UklGRg==\"}}"
      })
  void aMessageThatIsNotOfTheProtocolEndsTheStream(String message) {
    String connect = "<Connect><Stream url=\"" + STREAM + "\"/></Connect>";
    SimulatedCall call = call(twiml(connect), message::formatted);

    assertThat(call.faults()).singleElement().asString().startsWith("31924 ");
    assertThat(call.status()).isEqualTo("completed");
  }

  @Test
  void twimlThatCannotBeDoneFailsTheCall() {
    SimulatedCall call = call(twiml("<Fly/>"), id -> "");

    assertThat(call.faults()).containsExactly("12200 unknown verb Fly");
    assertThat(call.status()).isEqualTo("failed");
  }

  @Test
  void twimlIsReadStrictly() {
    for (String wrong :
        List.of(
            "",
            "hello",
            "<Answer/>",
            "<Response>",
            "<!DOCTYPE a [<!ENTITY b 'c'>]><Response/>",
            twiml("<Connect/>"),
            twiml("<Connect><Stream url=\"https://h/m\"/></Connect>"),
            twiml("<Connect><Stream url=\"ws://h.example/m\"/></Connect>"),
            twiml("<Connect><Stream url=\"wss://h/m?a=b\"/></Connect>"),
            twiml("<Dial>+1555</Dial>"))) {
      assertThatThrownBy(() -> TwimlVerb.parse(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(TwimlVerb.parse(twiml("<Reject reason=\"busy\"/><Say>a &lt;b&gt;</Say><Hangup/>")))
        .containsExactly(
            new TwimlVerb.Reject(true), new TwimlVerb.Say("a <b>"), new TwimlVerb.Hangup());
  }
}
