package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The audit log that an agent's file names, in every host of the command line.
class AuditTest {
  private static final String PAY =
      "{\"id\":\"c1\",\"name\":\"pay\",\"arguments\":{\"amount\":7,\"to\":\"Ada\"}}";

  @TempDir private Path folder;
  private StubWebhook webhook;
  private String agent;
  private Path log;

  @BeforeEach
  void start() throws IOException {
    webhook = StubWebhook.start();
    webhook.answer(200, "{\"paid\": true}");
    agent = StoredToml.of(folder, webhook, "");
    Path file = Path.of(agent);
    Files.writeString(file, Files.readString(file) + "\n[audit]\nfile = \"audit.jsonl\"\n");
    log = folder.resolve("audit.jsonl");
  }

  @AfterEach
  void stop() {
    webhook.close();
  }

  private List<String> lines() throws IOException {
    return Files.exists(log) ? Files.readAllLines(log) : List.of();
  }

  @Test
  void everyHostLeavesALineForACall() throws IOException {
    assertThat(Cli.run("tool", "list", agent).exit()).isZero();
    assertThat(lines()).isEmpty();

    assertThat(Cli.run("tool", "call", agent, "report", "{}").exit()).isZero();
    assertThat(lines()).hasSize(1).last().asString().contains("\"tool\":\"report\"");

    Cli waits = Cli.runWith(PAY, "exec", "--conversation", "v-1", agent);
    assertThat(waits.out()).contains("consent_pending");
    assertThat(lines()).hasSize(1);
    assertThat(Cli.run("approvals", "approve", "c1", agent).exit()).isZero();
    assertThat(lines())
        .hasSize(2)
        .last()
        .asString()
        .contains(
            "\"conversation\":\"v-1\",\"principal\":\"local\",\"call\":\"c1\",\"tool\":\"pay\"");

    Cli.runWith("{\"id\":\"c2\",\"name\":\"search\",\"arguments\":{}}", "exec", agent);
    assertThat(lines()).hasSize(3).last().asString().contains("\"tool\":\"search\"");
  }

  @Test
  void aChatLeavesALineForACall() throws IOException {
    try (StubModel model = new StubModel()) {
      model.calls("look", "{}").says("Two.");
      String audit = "[audit]\nfile = \"audit.jsonl\"\n";

      Cli cli = Cli.run("chat", ChatToml.of(folder, webhook, model.toml(), audit), "-m", "Tables?");

      assertThat(cli.out()).isEqualTo("Two.\n");
      assertThat(lines()).singleElement().asString().contains("\"tool\":\"look\"");
    }
  }

  @Test
  void whoActsForAnotherIsNamedToo() throws IOException {
    String search = "{\"id\":\"c2\",\"name\":\"search\",\"arguments\":{}}";
    Cli.runWith(search, "exec", agent, "--principal", "ann");

    assertThat(lines())
        .singleElement()
        .asString()
        .contains("\"principal\":\"ann\",\"actor\":\"local\"");
  }

  @Test
  void aLogThatTheCommandNamesTooHasEachLineOnce() throws IOException {
    Cli.runWith(
        "{\"id\":\"c2\",\"name\":\"search\",\"arguments\":{}}",
        "exec",
        agent,
        "--audit",
        log.toString());

    assertThat(lines()).hasSize(1);
  }
}
