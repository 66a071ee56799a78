package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import dev.switchboard.phone.testing.SimulatedCall;
import dev.switchboard.phone.testing.Speech;
import dev.switchboard.phone.testing.TwilioSimulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Plays the call of `docs/tutorial/first-phone-call.md` with its agent's file.
class PhoneTutorialTest {
  private static final String URL = "https://phone.example.com";
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir private Path folder;

  @Test
  void itsAgentAnswersAndCallsShowIsAsThePageHasIt() throws IOException {
    String page = page();
    try (TwilioSimulator twilio = TwilioSimulator.start();
        RealtimeSimulator engine =
            RealtimeSimulator.builder()
                .replies(
                    Reply.say("I am sorry, we are closed on Mondays."),
                    Reply.say("Goodbye!").andCall("c1", "end_call", "{\"reason\":\"all said\"}"))
                .transcripts("Are you open on Mondays?", "Thank you, bye!")
                .start()) {
      String agent = agent(block(page, "```toml\n"), twilio, engine);
      String id;
      try (Serving serving = Serving.of(folder, agent)) {
        twilio.tunnel(URL, serving.url("").toString());
        SimulatedCall call = twilio.call(URL, "+14155550100", "+15550001234");
        id = call.id();
        HeardWords.await(call, "Da Enzo, good day! How can I help you?");
        call.say(Speech.of("Are you open on Mondays?"));
        HeardWords.await(call, "I am sorry, we are closed on Mondays.");
        call.say(Speech.of("Thank you, bye!"));
        call.awaitOver(PATIENCE);
        Awaitility.await().until(() -> Cli.run("calls", "list", agent).out().contains("end_call"));
        assertThat(call.faults()).isEmpty();
      }
      assertThat(timeless(Cli.run("calls", "show", id, agent).out()))
          .isEqualTo(timeless(block(page, "<!-- a call -->\n```text\n")));
    }
  }

  @Test
  void whatIsNotSetIsAsThePageHasIt() throws IOException {
    String agent = AgentToml.write(folder, block(page(), "```toml\n"));

    Cli validate = Cli.run("validate", agent);

    // Of the developer's own environment, a key of OpenAI may be set.
    assertThat(block(page(), "<!-- validate -->\n```text\n").lines())
        .containsAll(validate.err().replace(agent, "agent.toml").lines().toList());
    assertThat(validate.err()).contains("'PHONE_NUMBER'", "'OWNER_NUMBER'", "'PUBLIC_URL'");
    assertThat(validate.out()).startsWith(agent + ": ok (0 tools, ");
  }

  private String agent(String toml, TwilioSimulator twilio, RealtimeSimulator engine)
      throws IOException {
    Files.writeString(
        folder.resolve(".env"),
        """
        TWILIO_ACCOUNT_SID=%s
        TWILIO_AUTH_TOKEN=%s
        PHONE_NUMBER=+15550001234
        OWNER_NUMBER=+15550001111
        PUBLIC_URL=%s
        """
            .formatted(twilio.accountSid(), twilio.authToken(), URL));
    String carrier = "carrier = { name = \"twilio\", base_url = \"%s\" }".formatted(twilio.url());
    String speaking =
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", base_url = \"%s\" }"
            .formatted(engine.url());
    return AgentToml.write(
        folder,
        toml.replaceFirst("(?m)^carrier = .*", carrier).replaceFirst("(?m)^engine = .*", speaking));
  }

  private static String timeless(String shown) {
    return shown.replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d(:\\d\\d)?", "TIME");
  }

  private static String block(String page, String begin) {
    int start = page.indexOf(begin) + begin.length();
    return page.substring(start, page.indexOf("```\n", start));
  }

  private static String page() throws IOException {
    return Files.readString(Repository.file("docs/tutorial/first-phone-call.md"));
  }
}
