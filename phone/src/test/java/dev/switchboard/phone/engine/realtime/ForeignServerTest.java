package dev.switchboard.phone.engine.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Output;
import dev.switchboard.harness.Repository;
import dev.switchboard.model.Message;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent.Called;
import dev.switchboard.phone.engine.EngineEvent.Created;
import dev.switchboard.phone.engine.EngineEvent.Done;
import dev.switchboard.phone.engine.EngineEvent.Lost;
import dev.switchboard.phone.engine.EngineEvent.Ready;
import dev.switchboard.phone.engine.EngineEvent.Refused;
import dev.switchboard.phone.engine.EngineEvent.Status;
import dev.switchboard.phone.engine.EngineSession;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Calls of tools by a server of others that speaks the protocol, `@copilotkit/aimock`.
@Tag("servers")
class ForeignServerTest {
  private static final Path FOLDER = Repository.file("agent/src/test/servers");
  private static final String LISTENING = "listening on http";

  private static Process process;
  private static String url;

  private final EventCollector events = new EventCollector();

  @BeforeAll
  static void start() throws IOException {
    Path program = FOLDER.resolve("node_modules/@copilotkit/aimock/dist/cli.js");
    assertThat(Files.exists(program))
        .as("run `npm ci --prefix agent/src/test/servers` first")
        .isTrue();
    process =
        new ProcessBuilder("node", program.toString(), "-p", "0", "-f", "fixtures", "--strict")
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .start();
    BufferedReader out = process.inputReader();
    String line = out.readLine();
    while (line != null && !line.contains(LISTENING)) {
      line = out.readLine();
    }
    assertThat(line).as("what it says when it has started").isNotNull();
    url = "ws" + line.substring(line.indexOf(LISTENING) + LISTENING.length()).strip() + "/v1";
    Output.drain(out);
  }

  @AfterAll
  static void stop() {
    if (process != null) {
      process.destroy();
    }
  }

  @Test
  void tellsTheCallsOfAResponseAndTakesTheirResults() {
    OpenAiRealtime engine = OpenAiRealtime.of("sk-test-key").withBaseUrl(url);
    try (EngineSession session =
        engine.open(
            new Engine.Setup(
                "You are a waiter.",
                List.of(OpenedSession.STATUS, OpenedSession.RETURN),
                List.of()),
            events)) {
      events.await(Ready.class);
      session.add(new Message.User("Is there a table in Oslo, and rain?"));
      session.create(OpenedSession.response("r1"));
      Done first = events.await(Done.class);

      assertThat(first.status()).isEqualTo(Status.COMPLETED);
      assertThat(events.all(Created.class).getFirst())
          .isEqualTo(new Created(first.response(), "r1"));
      assertThat(events.all(Called.class))
          .extracting(called -> called.call().id() + " " + called.call().name())
          .containsExactly("call_table check_table", "call_rain get_weather");
      assertThat(events.all(Called.class))
          .allMatch(called -> called.response().equals(first.response()))
          .allMatch(called -> called.call().arguments().isReadableObject());

      session.output(new Message.Result("call_table", "table", "{\"free\":true}", true));
      session.output(new Message.Result("call_rain", "rain", "rain", true));
      session.create(OpenedSession.response("r2"));

      assertThat(events.await(Done.class, 2).getLast().status()).isEqualTo(Status.COMPLETED);
      assertThat(events.all(Called.class)).hasSize(2);
      assertThat(events.all(Refused.class)).isEmpty();
      assertThat(events.all(Lost.class)).isEmpty();
    }
  }
}
