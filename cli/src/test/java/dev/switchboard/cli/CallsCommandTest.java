package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.config.AgentFile;
import dev.switchboard.process.CallRecords;
import dev.switchboard.store.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class CallsCommandTest {
  private static final String STORED = "[storage]\nurl = \"sqlite:agent.db\"\n";

  @TempDir private Path folder;
  private String agent;

  @BeforeEach
  void start() {
    agent =
        PhoneToml.of(
            folder,
            "https://phone.example.com",
            "http://127.0.0.1:1",
            "ws://127.0.0.1:1/v1",
            STORED);
  }

  private Agent opened() {
    AgentFile file = AgentFile.read(Path.of(agent));
    Storage storage = Switchboard.storage(Path.of(agent), file);
    return Switchboard.agent(file)
        .store(storage.conversations("Shop"))
        .onClose(storage::close)
        .build();
  }

  private void called(String id, String words, String reply) {
    try (Agent shop = opened();
        PlayedPhone phone = new PlayedPhone(shop)) {
      phone.rings(id);
      phone.replies(reply);
      phone.says(words);
      phone.hangsUp();
    }
  }

  @Test
  void theirRecordsGoWithTheirPrincipal() throws IOException {
    Path log = folder.resolve("calls");
    String rest = "ws://127.0.0.1:1/v1";
    agent =
        PhoneToml.of(
            folder,
            "https://phone.example.com",
            "http://127.0.0.1:1",
            rest,
            "log = \"calls\"\n\n" + STORED);
    List<Path> records = new ArrayList<>();
    for (String id : List.of("CA1", "CA2")) {
      called(id, "Hello", "Good day.");
      Path record = new CallRecords(log).folder(id, Instant.now());
      Files.createDirectories(record);
      records.add(Files.writeString(record.resolve("transcript.md"), "**caller**: Hello"));
    }

    assertThat(Cli.run("conversations", "delete", "--principal", "call:CA1", agent).exit())
        .isZero();
    assertThat(records.getFirst().getParent()).doesNotExist();
    assertThat(records.getLast()).exists();
    assertThat(Cli.run("calls", "list", "--json", agent).json()).hasSize(1);
    assertThat(Cli.run("conversations", "delete", "CA2", agent).exit()).isZero();
    assertThat(log).isEmptyDirectory();
  }

  @Test
  void listsThem() {
    assertThat(Cli.run("calls", "list", agent).out()).isEqualTo("No phone call is stored.\n");
    called("CA1", "Hello", "Good day.");
    called("CA2", "Hello", "Good day.");
    Cli.runWith("", "exec", "--conversation", "c-3", agent);

    Cli table = Cli.run("calls", "list", agent);
    assertThat(table.err()).isEmpty();
    assertThat(table.out().lines())
        .hasSize(3)
        .first()
        .asString()
        .matches("ID +STARTED +LENGTH +FROM +TO +TURNS +TOOLS +END");
    assertThat(table.out()).contains("***0100", "***1234", "hung_up").doesNotContain("+1415");
    Cli json = Cli.run("calls", "list", "--json", agent);
    assertThat(json.json())
        .extracting(one -> one.path("id").asString())
        .containsExactly("CA2", "CA1");
    JsonNode one = json.json().getFirst();
    assertThat(one.propertyNames())
        .containsExactly(
            "id",
            "from",
            "to",
            "direction",
            "startedAt",
            "endedAt",
            "state",
            "reason",
            "turns",
            "calls");
    assertThat(one.path("state").asString()).isEqualTo("ended");
  }

  @Test
  void showsWhatWasSaidAndHeard() {
    called("CA1", "Where is my order?\u001b[31m", "On its way.");

    for (String[] words :
        new String[][] {{"calls", "show", "CA1", agent}, {"calls", "show", agent, "CA1"}}) {
      assertThat(Cli.run(words).out())
          .contains("from    ***0100\n", "to      ***1234\n", " hung_up\n")
          .contains("user    Where is my order?\\u001b[31m\n", "agent   On its way.\n");
    }
    assertThat(Cli.run("calls", "show", "CA1", "--json", agent).json())
        .first()
        .satisfies(call -> assertThat(call.path("reason").asString()).isEqualTo("hung_up"));
    Cli none = Cli.run("calls", "show", "CA9", agent);
    assertThat(none.exit()).isOne();
    assertThat(none.err()).isEqualTo("switchboard: No phone call 'CA9' is stored.\n");
    assertThat(Cli.run("calls", "show", agent).exit()).isEqualTo(2);
  }

  @Test
  void aCallIsOnWhileAProcessHasItAndWasCutOffAfterwards() {
    try (Agent shop = opened();
        PlayedPhone phone = new PlayedPhone(shop)) {
      phone.rings("CA1");
      Awaitility.await()
          .untilAsserted(() ->
              assertThat(Cli.run("calls", "list", "--json", agent).json())
                  .extracting(one -> one.path("state").asString())
                  .containsExactly("on"));
      assertThat(Cli.run("calls", "show", "CA1", agent).out()).contains("end     on\n");
      phone.hangsUp();
    }
    try (Agent shop = opened()) {
      shop.store()
          .directory()
          .create(
              "CA2",
              new dev.switchboard.execution.ConversationDirectory.Header(
                  "call:CA2",
                  null,
                  null,
                  dev.switchboard.json.Json.text(
                      "{\"phone\":{\"from\":\"***1\",\"to\":\"***2\",\"direction\":\"inbound\"}}")));
    }
    assertThat(Cli.run("calls", "show", "CA2", agent).out()).contains("end     cut off\n");
  }
}
