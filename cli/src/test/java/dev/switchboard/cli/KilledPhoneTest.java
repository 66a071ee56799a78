package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import dev.switchboard.phone.testing.SimulatedCall;
import dev.switchboard.phone.testing.Speech;
import dev.switchboard.phone.testing.TwilioSimulator;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that is killed while a tool of a call writes: the call's row says that it was cut off,
/// and nobody writes again.
@Tag("slow")
class KilledPhoneTest {
  private static final String URL = "https://phone.example.com";
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir private Path folder;
  private String agent;

  @Test
  void whatAToolHadBegunIsNotRepeatedByTheNextProcess() throws Exception {
    try (TwilioSimulator twilio = TwilioSimulator.start();
        StubWebhook booking = StubWebhook.start().answer(StubAnswer.hang());
        RealtimeSimulator engine =
            RealtimeSimulator.builder()
                .script(view -> Reply.call("call_1", "book_table", "{\"guests\":4}"))
                .transcripts("A table for four, please.")
                .start()) {
      agent = agent(twilio, engine, booking);
      SimulatedCall call = cutOffInAWrite(twilio, booking);
      // The carrier asks how the call goes on, and nobody answers.
      call.awaitOver(PATIENCE);
      Awaitility.await()
          .untilAsserted(() ->
              assertThat(Cli.run("calls", "show", call.id(), agent).out())
                  .contains(
                      "end     cut off\n", "user    A table for four, please.\n", "book_table"));

      try (Serving next = Serving.of(Files.createDirectory(folder.resolve("next")), agent)) {
        twilio.tunnel(URL, next.url("").toString());
        // It holds the call for a moment, to settle what is left of it.
        Awaitility.await()
            .untilAsserted(
                () -> assertThat(Cli.run("calls", "list", agent).out()).contains("cut off"));
        // The next process takes calls, and has left the one that was cut off alone.
        SimulatedCall other = twilio.call(URL, "+14155550177", PhoneToml.NUMBER);
        other.awaitStreams(1, PATIENCE);
        other.hangUp();
        other.awaitOver(PATIENCE);
      }
      assertThat(booking.requests()).hasSize(1);
      assertThat(Cli.run("calls", "show", call.id(), agent).out()).contains("end     cut off\n");
    }
  }

  /// A call whose process is killed once the booking has been asked for.
  private SimulatedCall cutOffInAWrite(TwilioSimulator twilio, StubWebhook booking)
      throws Exception {
    Process serve =
        SignalTest.start(
            "serve", agent, "--port", "0", "--tokens", folder.resolve("tokens").toString());
    try (BufferedReader out = serve.inputReader(StandardCharsets.UTF_8)) {
      String first = out.readLine();
      twilio.tunnel(URL, first.substring(first.indexOf("http://")));
      SimulatedCall call = twilio.call(URL, "+14155550100", PhoneToml.NUMBER);
      call.awaitStreams(1, PATIENCE);
      call.say(Speech.of("A table for four, please."));
      booking.takeRequest(PATIENCE);
      assertThat(Cli.run("calls", "show", call.id(), agent).out()).contains("end     on\n");

      serve.toHandle().destroyForcibly();
      assertThat(serve.waitFor(5, TimeUnit.MINUTES)).isTrue();
      return call;
    } finally {
      serve.destroyForcibly();
    }
  }

  private String agent(TwilioSimulator twilio, RealtimeSimulator engine, StubWebhook booking)
      throws IOException {
    String tools =
        """
        [[tools]]
        name = "book_table"
        mode = "external"
        webhook_url = "%s"
        parameters = { type = "object", properties = { guests = { type = "integer" } } }

        [network]
        allow = ["%s"]

        [storage]
        url = "sqlite:agent.db"
        """
            .formatted(booking.url(), booking.hostAndPort());
    return PhoneToml.of(folder, URL, twilio, engine.url(), tools);
  }
}
