package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.StubWebhook;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The commands of a chat.
class ChatSlashTest {
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
  void toolsAreListedWithWhatIsOfferedNow() {
    agent =
        ChatToml.of(
            folder,
            webhook,
            model.toml(),
            """
            [[agent.tool_rules]]
            tool_name = "pay"
            rule_type = { RequiresPreceding = ["look"] }
            """);
    assertThat(chat("/tools").out())
        .isEqualTo(
            """
            Hi!
            offered  look  read      Looks.
            not now  pay   external  Pays.
            """);
  }

  @Test
  void rulesAreShownAsTheModelReadsThem() {
    assertThat(chat("/rules").out())
        .isEqualTo("Hi!\n# Tool rules\n- A person has to agree to each call of pay.\n");
  }

  @Test
  void memoryIsShownBlockByBlock() {
    assertThat(chat("/memory").out()).isEqualTo("Hi!\nThe agent has no blocks of memory.\n");
    agent =
        ChatToml.of(
            folder,
            webhook,
            model.toml(),
            """
            [agent.memory.guest]
            content = "Ada\\u001B[2J"
            char_limit = 40
            """);
    assertThat(chat("/memory").out())
        .isEqualTo("Hi!\nguest (core, read_write, 7 of 40 characters)\n  Ada\\u001b[2J\n");
  }

  @Test
  void historyIsWhatTheModelReads() {
    webhook.answer(200, "{\"free\":2}");
    model.calls("look", "{}").says("Two.");

    assertThat(chat("Tables?\n/history").out())
        .endsWith(
            """
            agent   Hi!
            user    Tables?
            call    look {}
            result  look {"free":2}
            agent   Two.
            """);
  }

  @Test
  void whatACommandShowsCanBePiped() {
    assertThat(Cli.run("chat", agent, "-m", "/history"))
        .isEqualTo(new Cli(0, "Nothing was said yet.\n", ""));
    Cli json = Cli.run("chat", agent, "--json", "-m", "/history");
    assertThat(json.err()).isEqualTo("Nothing was said yet.\n");
    assertThat(json.out()).isEmpty();
  }

  @Test
  void helpListsAllCommands() {
    assertThat(chat("/help").out())
        .startsWith("Hi!\n")
        .contains(
            "/tools",
            "/rules",
            "/memory",
            "/approve",
            "/deny",
            "/undo",
            "/history",
            "/help",
            "/exit")
        .hasLineCount(11);
  }

  @Test
  void nothingIsReadAfterQuit() {
    Cli cli = chat("/quit\nHello");

    assertThat(cli).isEqualTo(new Cli(0, "Hi!\n", ""));
    assertThat(model.requests()).isEmpty();
  }

  @Test
  void anUnknownCommandIsNotSentToTheModel() {
    Cli cli = chat("/tool");

    assertThat(cli.exit()).isOne();
    assertThat(cli.err()).isEqualTo("Not done: there is no /tool; did you mean /tools?\n");
    assertThat(chat("/model").err())
        .isEqualTo(
            "Not done: there is no /model, only /tools, /rules, /memory, /approve, /deny, /attach,"
                + " /undo, /history, /help, /quit, /exit.\n");
    assertThat(model.requests()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /approve
          /approve call_1_1_1
          /approve --for 10m
          /approve call_1_1_1 --always
          """)
  void anApprovedCallRuns(String command) {
    model.calls("pay", "{}").says("Paid.");

    Cli cli = chat("Pay\n" + command);

    assertThat(cli.exit()).as(cli.err()).isZero();
    assertThat(cli.out()).isEqualTo("Hi!\nPaid.\n");
    assertThat(webhook.requests()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /approve c9          | Not done: no call 'c9' waits.
          /approve --ever      | Not done: it is /approve [ID] [--for 10m|--always].
          /approve --for now   | Not done: --for must be
          """)
  void aWrongAnswerLeavesTheRequestOpen(String command, String why) {
    model.calls("pay", "{}").says("Paid.");

    Cli cli = chat("Pay\n" + command + "\n/approve");

    assertThat(cli.exit()).isOne();
    assertThat(cli.err()).contains(why);
    assertThat(cli.out()).endsWith("Paid.\n");
  }

  @Test
  void theReasonOfADenialIsToldToTheModel() {
    model.calls("pay", "{}").says("Sorry.");

    chat("Pay\n/deny call_1_1_1 too much");

    assertThat(model.requests().getLast().body()).contains("too much").doesNotContain("1 too");
  }

  @Test
  void whereSeveralWaitOneIsNamed() {
    model.calls("pay", "{\"n\":1}", "pay", "{\"n\":2}").says("Done.");

    Cli cli = chat("Pay\n/approve\n/approve call_1_1_2\n/deny");

    assertThat(cli.err())
        .contains("Not done: several calls wait; name one of 'call_1_1_1', 'call_1_1_2'.\n");
    assertThat(webhook.requests())
        .singleElement()
        .satisfies(one -> assertThat(one.body()).contains("\"n\":2"));
    assertThat(cli.out()).endsWith("Done.\n");
  }

  @Test
  void nothingToAnswerIsSaid() {
    assertThat(chat("/approve\n/deny").err())
        .isEqualTo("Not done: no call waits.\nNot done: no call waits.\n");
  }

  private Cli chat(String lines) {
    return Cli.runWith(lines, "chat", agent);
  }
}
