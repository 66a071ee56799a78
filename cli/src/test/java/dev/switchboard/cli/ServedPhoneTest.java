package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import dev.switchboard.phone.testing.SimulatedCall;
import dev.switchboard.phone.testing.Speech;
import dev.switchboard.phone.testing.TwilioSimulator;
import dev.switchboard.testing.StubWebhook;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Calls over the wires of carrier and engine, which are both simulated.
class ServedPhoneTest {
  private static final String URL = "https://phone.example.com";
  private static final String CALLER = "+14155550100";
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir private Path folder;
  private final TwilioSimulator twilio = TwilioSimulator.start();
  private final StubWebhook webhook = StubWebhook.start();

  @AfterEach
  void stop() {
    twilio.close();
    webhook.close();
  }

  private String agent(RealtimeSimulator engine, String more) {
    String tools =
        """
        %s

        [[tools]]
        name = "lookup_order"
        webhook_url = "%s"

        [network]
        allow = ["%s"]

        [storage]
        url = "sqlite:agent.db"
        """
            .formatted(more, webhook.url(), webhook.hostAndPort());
    return PhoneToml.of(folder, URL, twilio, engine.url(), tools);
  }

  @Test
  void aCallIsAnsweredStoredAndShown() throws IOException {
    webhook.answer(200, "{\"status\":\"shipped\"}");
    try (RealtimeSimulator engine =
        RealtimeSimulator.builder()
            .replies(Reply.call("call_1", "lookup_order", "{}"), Reply.say("It is on its way."))
            .transcripts("Where is my order?")
            .start()) {
      String agent = agent(engine, "[phone.limits]\ncalls = 1");
      Files.writeString(
          Path.of(agent),
          Files.readString(Path.of(agent)).replace("engine = {", "log = \"calls\"\nengine = {"));
      String id;
      try (Serving serving = Serving.of(folder, agent)) {
        String address = serving.url("").toString();
        SimulatedCall call = twilio.tunnel(URL, address).call(URL, CALLER, PhoneToml.NUMBER);
        id = call.id();
        call.awaitStreams(1, PATIENCE);
        SimulatedCall second = twilio.call(URL, CALLER, PhoneToml.NUMBER);
        second.awaitOver(PATIENCE);
        assertThat(second.status()).isEqualTo("busy");
        call.say(Speech.of("Where is my order?"));
        HeardWords.await(call, "It is on its way.");
        assertThat(Cli.run("calls", "list", agent).out()).contains("***0100", " on\n");
        call.hangUp();
        call.awaitOver(PATIENCE);
        assertThat(call.faults()).isEmpty();
        Awaitility.await().until(() -> Cli.run("calls", "list", agent).out().contains("hung_up"));
      }
      assertThat(Cli.run("calls", "show", id, agent).out())
          .contains("user    Where is my order?\n", "result  lookup_order ")
          .contains("agent   It is on its way.\n");
      try (Stream<Path> files = Files.walk(folder.resolve("calls"))) {
        assertThat(files.map(file -> file.getFileName().toString()))
            .contains("call.json", "events.jsonl", "transcript.md");
      }
    }
  }

  @Test
  void aSignalLetsCallsGoOnForAWhileAndThenSaysGoodbye() throws Exception {
    try (RealtimeSimulator engine = RealtimeSimulator.builder().start()) {
      String agent = agent(engine, "[phone.limits]\ndrain = \"2s\"");
      Process serve =
          SignalTest.start(
              "serve", agent, "--port", "0", "--tokens", folder.resolve("tokens").toString());
      try (BufferedReader out = serve.inputReader(StandardCharsets.UTF_8)) {
        String first = out.readLine();
        twilio.tunnel(URL, first.substring(first.indexOf("http://")));
        SimulatedCall call = twilio.call(URL, CALLER, PhoneToml.NUMBER);
        call.awaitStreams(1, PATIENCE);
        Awaitility.await().until(() -> !engine.sessions().isEmpty());

        assertThat(serve.toHandle().destroy()).isTrue();

        Awaitility.await().until(() -> isBusy());
        assertThat(call.status()).isEqualTo("in-progress");
        call.awaitOver(PATIENCE);
        assertThat(call.recording().heard(500)).as("the goodbye").isNotEmpty();
        assertThat(serve.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(serve.exitValue()).isZero();
        List<String> ends =
            Cli.run("calls", "list", "--json", agent).json().stream()
                .filter(one -> one.path("id").asString().equals(call.id()))
                .map(one -> one.path("reason").asString())
                .toList();
        assertThat(ends).containsExactly("shutdown");
      } finally {
        serve.destroyForcibly();
      }
    }
  }

  private boolean isBusy() {
    SimulatedCall more = twilio.call(URL, CALLER, PhoneToml.NUMBER);
    Awaitility.await().until(() -> !more.status().equals("ringing"));
    boolean busy = more.status().equals("busy");
    more.hangUp();
    return busy;
  }
}
