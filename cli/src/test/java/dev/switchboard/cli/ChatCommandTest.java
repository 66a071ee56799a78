package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChatCommandTest {
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
  void aMessageIsOneTurn() {
    model.says("Good ", "evening.");

    assertThat(Cli.run("chat", agent, "-m", "Hello")).isEqualTo(new Cli(0, "Good evening.\n", ""));
    assertThat(model.requests().getFirst().body()).contains("\"content\":\"Hello\"");
  }

  @Test
  void continuesConversationOnlyForItsPrincipal() {
    agent = ChatToml.of(folder, webhook, model.toml(), STORAGE);
    try (Storage storage = Storage.open("sqlite:agent.db", folder)) {
      assertThat(storage.conversations("agent").directory().create("c1", Header.of("shop/ann")))
          .isTrue();
    }
    model.says("Hello, Ann.");
    String belongs =
        "switchboard: Conversation 'c1' belongs to another principal; with --principal shop/ann the"
            + " command uses it.\n";

    Cli refused = Cli.run("chat", agent, "--conversation", "c1", "-m", "Hello");
    assertThat(refused).isEqualTo(new Cli(1, "", belongs));
    assertThat(Cli.runWith("", "exec", agent, "--conversation", "c1").err()).isEqualTo(belongs);
    Cli talked =
        Cli.run("chat", agent, "--conversation", "c1", "--principal", "shop/ann", "-m", "Hello");
    assertThat(talked.exit()).isZero();
    assertThat(talked.out()).isEqualTo("Hello, Ann.\n");
  }

  @Test
  void callsAreALineEachBesideTheWords() {
    webhook.answer(200, "{\"free\":2}").answer(500, "{\"error\":\"down\"}");
    model.calls("look", "{\"day\":1}").calls("look", "{\"day\":2}").says("Two.");

    Cli cli = Cli.run("chat", agent, "-m", "Tables?");

    assertThat(cli.exit()).isZero();
    assertThat(cli.out()).isEqualTo("Two.\n");
    assertThat(cli.err().lines().toList())
        .satisfiesExactly(
            first -> assertThat(first).matches("  look \\{\"day\":1} ok \\d+ ms"),
            second ->
                assertThat(second)
                    .isEqualTo(
                        "  look {\"day\":2} failed: Tool failed after 1 attempt: HTTP 500:"
                            + " {\"error\":\"down\"}"));
  }

  @Test
  void parallelCallsHaveALineEachToo() {
    model.calls("look", "{\"day\":1}", "look", "{\"day\":2}").says("Done.");

    Cli cli = Cli.run("chat", agent, "-m", "Tables?");

    assertThat(cli.err().lines()).hasSize(2).allMatch(line -> line.matches("  look .* ok \\d+ ms"));
  }

  @Test
  void inAPipeEachLineIsASentence() {
    model.says("One.").says("Two.");

    Cli cli = Cli.runWith("first\n\n  \nsecond", "chat", agent);

    assertThat(cli).isEqualTo(new Cli(0, "Hi!\nOne.\nTwo.\n", ""));
    assertThat(model.requests()).hasSize(2);
    assertThat(model.requests().getLast().body()).contains("Hi!", "first", "One.", "second");
  }

  @Test
  void aLineThatIsNotTextEndsIt() {
    byte[] latin = {'h', (byte) 0xe9, '\n'};

    Cli cli = Cli.runWith(new ByteArrayInputStream(latin), "chat", agent);

    assertThat(cli.exit()).isOne();
    assertThat(cli.err())
        .isEqualTo("switchboard: Line 1 was not taken: the line is not UTF-8 text.\n");
  }

  @Test
  void eventsAreJson() {
    model.calls("look", "{}").says("Two", ".");

    Cli cli = Cli.run("chat", agent, "--json", "-m", "Tables?");

    assertThat(cli.exit()).isZero();
    assertThat(cli.err()).isEmpty();
    assertThat(cli.json())
        .extracting(event -> event.path("type").stringValue())
        .containsExactly("agent", "tool_call", "tool_result", "content", "content", "done");
  }

  @Test
  void endsQuietlyWhenNoOneReadsOn() {
    model.says("One.");
    PrintStream closed = new PrintStream(new Broken(), true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(OutputStream.nullOutputStream(), true);
    byte[] lines = "first\nsecond".getBytes(StandardCharsets.UTF_8);
    String silent =
        ChatToml.of(folder, webhook, model.toml(), "").replace("agent.toml", "silent.toml");
    silent(silent);

    int exit =
        Main.run(new String[] {"chat", silent}, new ByteArrayInputStream(lines), closed, err);

    assertThat(exit).isOne();
    assertThat(model.requests()).hasSize(1);
  }

  private void silent(String file) {
    try {
      String text = Files.readString(Path.of(agent)).replace("first_message = \"Hi!\"", "");
      Files.writeString(Path.of(file), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Broken extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("Broken pipe");
    }
  }

  @Test
  void controlCharactersOfOthersReachNoScreen() {
    model.says("a\u001b[2Jb\n\tc");

    assertThat(Cli.run("chat", agent, "-m", "Hello").out()).isEqualTo("a\\u001b[2Jb\n\tc\n");
  }

  @Test
  void aModelThatFailsSaysWhy() {
    model.answers(StubAnswer.of(401, "{\"error\":{\"message\":\"bad key\"}}"));

    Cli cli = Cli.run("chat", agent, "-m", "Hello");

    assertThat(cli.exit()).isOne();
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err()).contains("answered 401: bad key.").contains("Trying again will not help");
  }

  @Test
  void withoutAStorageTheEndOfTheInputDenies() {
    model.calls("pay", "{}").says("Not paid.");

    Cli cli = Cli.run("chat", agent, "-m", "Pay");

    assertThat(cli.exit()).isZero();
    assertThat(cli.out()).isEqualTo("Not paid.\n");
    assertThat(cli.err())
        .contains("  pay {} waits for you\n", "  pay {} no_approver: Tool 'pay' needs a person's");
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void withAStorageTheCallWaitsAndTheConversationGoesOn() {
    agent = ChatToml.of(folder, webhook, model.toml(), STORAGE);
    model.calls("pay", "{}").says("Paid.").says("Again.");

    Cli asked = Cli.run("chat", agent, "--conversation", "v7", "-m", "Pay");

    assertThat(asked.exit()).isZero();
    assertThat(asked.out()).isEmpty();
    assertThat(asked.err())
        .endsWith("Answer with: switchboard approvals approve v7/call_1_1_1 " + agent + "\n");
    assertThat(Cli.run("approvals", "approve", "v7/call_1_1_1", agent).exit()).isZero();

    Cli resumed = Cli.runWith("And now?", "chat", agent, "--conversation", "v7");

    assertThat(resumed.exit()).isZero();
    assertThat(resumed.out()).isEqualTo("Paid.\nAgain.\n");
  }

  @Test
  void whatStillWaitsIsShownAgain() {
    agent = ChatToml.of(folder, webhook, model.toml(), STORAGE);
    model.calls("pay", "{}").says("Paid.");
    Cli.run("chat", agent, "--conversation", "v7", "-m", "Pay");

    Cli events = Cli.runWith("", "chat", agent, "--conversation", "v7", "--json");
    Cli paid = Cli.runWith("/approve", "chat", agent, "--conversation", "v7");

    assertThat(events.json())
        .anyMatch(event -> event.path("event").asString("").equals("consent_request"));
    assertThat(paid.err()).containsPattern("pay \\{} waits for you\n(.*\n)*  pay \\{} ok \\d+ ms");
    assertThat(paid.out()).isEqualTo("Paid.\n");
  }

  @Test
  void aSentenceIsRefusedWhileACallWaits() {
    model.calls("pay", "{}").says("Not paid.");

    Cli cli = Cli.runWith("Pay\nHello?\n/deny too much", "chat", agent);

    assertThat(cli.exit()).isOne();
    assertThat(cli.out()).isEqualTo("Hi!\nNot paid.\n");
    assertThat(cli.err())
        .contains("Answer the request for consent to 'pay' first.\n")
        .contains("consent_denied: Tool 'pay' was not approved: too much");
  }

  @Test
  void anExchangeIsRecordedAndPlayedBack() throws Exception {
    String recording = folder.resolve("talk.jsonl").toString();
    model.calls("look", "{}").says("Two", ".");
    Cli recorded = Cli.run("chat", agent, "-m", "Tables?", "--record", recording);

    Cli replayed = Cli.run("chat", agent, "-m", "Tables?", "--replay", recording);
    Cli other = Cli.run("chat", agent, "-m", "Chairs?", "--replay", recording);

    assertThat(Files.readAllLines(Path.of(recording))).hasSize(3);
    assertThat(replayed.out()).isEqualTo(recorded.out()).isEqualTo("Two.\n");
    assertThat(model.requests()).hasSize(2);
    assertThat(other.exit()).isOne();
    assertThat(other.err())
        .startsWith("switchboard: The recording is of another conversation: talk.jsonl:2:");
  }

  @Test
  void anotherModelTakesThePlaceOfTheFiles() {
    Cli cli = Cli.run("chat", agent, "-m", "Hello", "--model", "none:x");

    assertThat(cli.exit()).isEqualTo(2);
    assertThat(cli.err()).startsWith("switchboard: Unknown model provider 'none': use anthropic,");
  }

  @Test
  void aMissingModelOrKeyIsOneSentenceWithTheRemedy() {
    String keyless = "{ provider = \"openai\", name = \"m\", api_key_env = \"NO_SUCH_KEY\" }";
    String bare = ChatToml.of(folder, webhook, "", "");

    Cli none = Cli.run("chat", bare, "-m", "Hello");
    Cli locked =
        Cli.run("chat", ChatToml.of(folder, webhook, "model = " + keyless, ""), "-m", "Hello");

    assertThat(none)
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: %s names no model: use --model openai:gpt-6-luna, or add model = \"openai:gpt-6-luna\" to its [agent] table.\n"
                    .formatted(bare)));
    assertThat(locked)
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: Model openai:m needs a key: set the environment variable NO_SUCH_KEY,"
                    + " or name another with api_key_env.\n"));
  }

  @Test
  void recordingsThatCannotBeUsedAreWrongUsage() {
    String missing = folder.resolve("none.jsonl").toString();

    List<Cli> all =
        List.of(
            Cli.run("chat", agent, "--replay", missing),
            Cli.run("chat", agent, "--replay", agent),
            Cli.run("chat", agent, "--record", folder.toString()),
            Cli.run("chat", agent, "--replay", missing, "--record", missing));

    assertThat(all).allMatch(cli -> cli.exit() == 2 && cli.out().isEmpty());
    assertThat(all).allMatch(cli -> cli.err().lines().count() == 1);
  }
}
