package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a chat says beside the words: hints, warnings, remedies.
class ChatHintsTest {
  private static final String STORAGE = "[storage]\nurl = \"sqlite:agent.db\"";

  @TempDir private Path folder;
  private StubWebhook webhook;
  private StubModel model;
  private String agent;

  @BeforeEach
  void start() {
    webhook = StubWebhook.start();
    model = new StubModel();
    agent = ChatToml.of(folder, webhook, model.toml(), "");
  }

  @AfterEach
  void stop() {
    webhook.close();
    model.close();
  }

  @Test
  void inAPipeAnotherAttemptIsALineToo() throws IOException {
    Path file = Path.of(agent);
    Files.writeString(
        file,
        Files.readString(file)
            .replace("max_retries = 0", "max_retries = 1, base = \"1ms\", cap = \"1ms\""));
    webhook.answer(500, "{}").answer(200, "{\"free\":2}");
    model.calls("look", "{}").says("Two.");

    Cli cli = Cli.run("chat", agent, "-m", "Tables?");

    assertThat(cli.out()).isEqualTo("Two.\n");
    assertThat(cli.err().lines())
        .satisfiesExactly(
            hint -> assertThat(hint).matches("  look \\{} attempt 1 failed \\(.*\\), again in .*"),
            end -> assertThat(end).matches("  look \\{} ok \\d+ ms"));
  }

  @Test
  void howToContinueIsSaidWhereTheIdIsGenerated() {
    agent = ChatToml.of(folder, webhook, model.toml(), STORAGE);
    model.says("One.");

    Cli cli = Cli.run("chat", agent, "-m", "Hello");

    assertThat(cli.out()).isEqualTo("One.\n");
    assertThat(cli.err())
        .matches("Continue with: switchboard chat \\S+agent.toml --conversation [0-9a-f-]{36}\n");
  }

  @Test
  void howToContinueNamesTheCommandByItsPath() {
    agent = ChatToml.of(folder, webhook, model.toml(), STORAGE);
    model.says("One.");
    System.setProperty("switchboard.command", "../my tools/switchboard");
    try {
      assertThat(Cli.run("chat", agent, "-m", "Hello").err())
          .startsWith("Continue with: '../my tools/switchboard' chat ");
    } finally {
      System.clearProperty("switchboard.command");
    }
  }

  @Test
  void anIdWithoutAStorageIsWarnedOf() {
    model.says("One.");

    assertThat(Cli.run("chat", agent, "--conversation", "v7", "-m", "Hello").err())
        .isEqualTo("Nothing is kept of conversation 'v7': %s has no [storage].\n".formatted(agent));
  }

  @Test
  void commandsToTypeAreQuoted() {
    agent = ChatToml.of(folder, webhook, model.toml(), STORAGE);
    model.calls("pay", "{}");
    try (Storage storage = Storage.open("sqlite:agent.db", folder)) {
      // From a version that took any id.
      assertThat(storage.conversations("agent").directory().create("it's me", Header.of("local")))
          .isTrue();
    }

    assertThat(Cli.run("chat", agent, "--conversation", "it's me", "-m", "Pay").err())
        .contains("approvals approve 'it'\\''s me/call_1_1_1' " + agent + "\n");
  }

  @Test
  void whatWaitsIsShownOnceThoughASentenceIsRefused() {
    agent = ChatToml.of(folder, webhook, model.toml(), STORAGE);
    model.calls("pay", "{}");
    Cli.run("chat", agent, "--conversation", "v7", "-m", "Pay");

    Cli cli = Cli.run("chat", agent, "--conversation", "v7", "-m", "Hello?");

    assertThat(cli.exit()).isOne();
    assertThat(cli.err()).containsOnlyOnce("waits for you").containsOnlyOnce("Answer with: ");
  }

  @Test
  void aBlankMessageIsWrongUsage() {
    assertThat(Cli.run("chat", agent, "-m", " "))
        .isEqualTo(
            new Cli(2, "", "switchboard: -m needs a sentence or a command, not a blank text.\n"));
  }

  @Test
  void aMessageMayBeACommand() {
    assertThat(Cli.run("chat", agent, "-m", "/tools").out()).startsWith("offered  look");
    assertThat(model.requests()).isEmpty();
  }

  @Test
  @SuppressWarnings("InputStreamSlowMultibyteRead")
  void aConflictInAPipeIsOneSentenceWithTheRemedy() {
    agent = ChatToml.of(folder, webhook, model.toml(), STORAGE);
    model.says("One.").says("Theirs.").says("never");
    InputStream first = new ByteArrayInputStream("first\n".getBytes(StandardCharsets.UTF_8));
    InputStream second =
        new InputStream() {
          private final Iterator<Integer> bytes = "second\n".chars().boxed().iterator();
          private boolean begun;

          @Override
          public int read() {
            if (!begun) {
              begun = true;
              assertThat(Cli.run("chat", agent, "--conversation", "v7", "-m", "x").exit()).isZero();
            }
            return bytes.hasNext() ? bytes.next() : -1;
          }
        };

    Cli cli =
        Cli.runWith(new SequenceInputStream(first, second), "chat", agent, "--conversation", "v7");

    assertThat(cli.exit()).isOne();
    assertThat(cli.out()).isEqualTo("Hi!\nOne.\n");
    assertThat(cli.err())
        .isEqualTo(
            "switchboard: Another process has continued conversation 'v7', so it stops here; run"
                + " the command again to continue from its current state.\n");
  }

  @Test
  void aTimeoutOfTheModelNamesItsLimit() throws IOException {
    Path file = Path.of(agent);
    Files.writeString(
        file,
        Files.readString(file)
            .replace("defaults =", "limits = { model_timeout = \"50ms\" }\ndefaults ="));
    model.answers(StubAnswer.of(200, "").delay(Duration.ofMillis(300)));

    assertThat(Cli.run("chat", agent, "-m", "Hello").err())
        .endsWith(
            "The model may be silent for 50ms; [agent.limits] model_timeout in "
                + agent
                + " says otherwise.\n");
  }

  @Test
  void recordingsThatCannotBeUsedSayWhy() {
    Path missing = folder.resolve("none");

    assertThat(Cli.run("chat", agent, "--replay", missing.toString()).err())
        .endsWith("none cannot be read: there is no such file or folder.\n");
    assertThat(Cli.run("chat", agent, "--record", missing.resolve("x").toString()).err())
        .endsWith("x cannot be written: there is no such file or folder.\n");
    assertThat(Cli.run("chat", agent, "--replay", agent).err())
        .startsWith("switchboard: agent.toml:1: ");
  }
}
