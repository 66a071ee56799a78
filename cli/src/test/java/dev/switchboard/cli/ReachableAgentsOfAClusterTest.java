package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.config.AgentFile;
import dev.switchboard.store.Storage;
import dev.switchboard.time.Time;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Agents whose turns run in workers of their own reach each other through the database that these
/// share.
class ReachableAgentsOfAClusterTest {
  private static EmbeddedPostgres database;

  @TempDir private Path folder;
  private final StubModel al = new StubModel();
  private final StubModel bo = new StubModel();
  private final List<Running> running = new ArrayList<>();

  /// A command that runs until it is interrupted.
  private record Running(
      Thread thread, AtomicInteger exit, ByteArrayOutputStream out, ByteArrayOutputStream err) {
    static Running of(String... words) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      AtomicInteger exit = new AtomicInteger(-1);
      Thread thread =
          Thread.ofPlatform()
              .start(() ->
                  exit.set(Main.run(words, InputStream.nullInputStream(), print(out), print(err))));
      Running running = new Running(thread, exit, out, err);
      Awaitility.await().until(() -> out.size() > 0 || !thread.isAlive());
      assertThat(thread.isAlive()).as(running.text(err)).isTrue();
      return running;
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
      return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String text(ByteArrayOutputStream bytes) {
      return bytes.toString(StandardCharsets.UTF_8);
    }

    void end() throws InterruptedException {
      thread.interrupt();
      thread.join();
    }
  }

  @BeforeAll
  static void startDatabase() throws IOException {
    database = EmbeddedPostgres.builder().setServerConfig("fsync", "off").start();
  }

  @AfterAll
  static void endDatabase() throws IOException {
    database.close();
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Running command : running) {
      command.end();
    }
    al.close();
    bo.close();
  }

  private String agent(String name, StubModel model, String more) throws IOException {
    return Files.writeString(
            folder.resolve(name + ".toml"),
            """
            [agent]
            name = "%s"
            %s
            tools = ["send_message", "block"]
            %s
            [storage]
            url = "postgresql://postgres:secret@127.0.0.1:%d/postgres"
            [cluster]
            workers = true
            [[channels]]
            name = "lunch"
            agents = ["Al", "Bo"]
            """
                .formatted(name, model.toml(), more, database.getPort()))
        .toString();
  }

  @Test
  void anAgentThatIsServedLaterIsOfferedThen() throws Exception {
    Path path = Path.of(agent("Zed", al, ""));
    AgentFile file = AgentFile.read(path);
    ReachableAgents neighbours = new ReachableAgents(List.of(file));
    try (Storage storage = Objects.requireNonNull(Switchboard.storage(path, file));
        neighbours;
        Agent zed = neighbours.join(Switchboard.agent(file), file, storage, Time.SYSTEM).build()) {
      neighbours.open(List.of(zed));
      assertThat(offered(zed)).doesNotContain("agent 'Yan'");

      storage.serve(List.of("Yan"));
      neighbours.look();

      assertThat(offered(zed)).contains("agent 'Yan'");
    }
  }

  private static String offered(Agent agent) {
    return Objects.requireNonNull(agent.executor().tools().find("send_message"))
        .definition()
        .json()
        .text();
  }

  private void work(String agent) {
    running.add(Running.of("worker", agent));
  }

  @Test
  void aMessageIsAnInputForTheAgentOfAnotherWorker() throws Exception {
    String toBo =
        "{\"target\":{\"type\":\"channel\",\"id\":\"lunch\"},\"content\":\"Lunch at one?\"}";
    String alFile = agent("Al", al, "[[agent.shared_blocks]]\nlabel = \"plan\"\nfrom = \"Bo\"\n");
    String boFile = agent("Bo", bo, "memory = { plan = { content = \"Tea at four\" } }");
    work(boFile);
    work(alFile);
    al.calls("send_message", toBo);
    bo.says("Fine.");

    try (Serving server = Serving.of(folder, alFile)) {
      JsonNode begun = server.post("/v1/agents/Al/conversations", "{\"text\":\"Ask for lunch.\"}");
      assertThat(begun.path("id").asString("")).isNotEmpty();
      Awaitility.await().until(() -> !bo.requests().isEmpty());
    }

    assertThat(al.requests().getFirst().body())
        .contains("agent 'Bo'", "channel 'lunch'", "Tea at four")
        .doesNotContain("agent 'Al'");
    assertThat(bo.requests().getFirst().body())
        .contains("A message from agent 'Al'", "Lunch at one?");
  }
}
