package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallCommandTest {
  /// No variable that it names is set.
  private static final String PHONE =
      """
      [phone]
      carrier = { name = "twilio", account_sid = "${NO_SUCH_SID}", auth_token_env = "NO_SUCH_TOKEN" }
      number = "${NO_SUCH_NUMBER}"
      public_url = "${NO_SUCH_URL}"
      engine = "openai-realtime:gpt-realtime-2.1"
      transfer = { to = { owner = "${NO_SUCH_OWNER}", support = "+15550002222" } }
      words = { failed = "Sorry, no." }
      """;

  private static final String STORAGE = "[storage]\nurl = \"sqlite:agent.db\"\n";

  @TempDir private Path folder;
  private StubWebhook webhook;
  private StubModel model;

  @BeforeEach
  void start() {
    webhook = StubWebhook.start();
    model = new StubModel();
  }

  @AfterEach
  void stop() {
    webhook.close();
    model.close();
  }

  private String agent(String more) {
    return ChatToml.of(folder, webhook, model.toml(), more);
  }

  private static Cli call(String agent, String in, String... more) {
    String[] args = new String[3 + more.length];
    args[0] = "call";
    args[1] = agent;
    args[2] = "--simulate";
    System.arraycopy(more, 0, args, 3, more.length);
    return Cli.runWith(in, args);
  }

  /// The lines without times, and without how long calls took.
  private static List<String> lines(Cli cli) {
    return cli.out()
        .lines()
        .map(line ->
            line.replaceFirst("^\\d+:\\d\\d  (\\w+) +", "$1: ").replaceFirst(" \\d+ ms$", ""))
        .toList();
  }

  @Test
  void eachLineIsASentenceOfTheCaller() {
    model.says("Good ", "evening.").says("Until nine.");

    Cli cli = call(agent(""), "Hello\n\nUntil when?");

    assertThat(cli.err()).isEmpty();
    assertThat(lines(cli))
        .containsExactly(
            "agent: Hi!",
            "caller: Hello",
            "agent: Good evening.",
            "caller: Until when?",
            "agent: Until nine.",
            "note: The call is over: hung_up");
    assertThat(cli.out()).startsWith("0:0");
    assertThat(cli.exit()).isZero();
    assertThat(model.requests().getLast().body()).contains("Hi!", "Hello", "Good evening.");
  }

  @Test
  void toolsAreShownWithArgumentsAndResult() {
    webhook.answer(200, "{\"free\":2}").answer(500, "{\"error\":\"down\"}");
    model.calls("look", "{\"day\":1}").calls("look", "{\"day\":2}").says("Two.");

    Cli cli = call(agent(""), "Tables?");

    assertThat(lines(cli))
        .containsSubsequence(
            "caller: Tables?",
            "tool: look {\"day\":1}",
            "tool: look ok",
            "tool: look {\"day\":2}",
            "tool: look failed: Tool failed after 1 attempt: HTTP 500: {\"error\":\"down\"}",
            "agent: Two.");
  }

  @Test
  void theAgentEndsTheCall() {
    model.calls("end_call", "{\"reason\":\"all done\"}").says("Goodbye!");

    Cli cli = call(agent(PHONE), "That was all.\nNot said any more");

    assertThat(cli.exit()).isZero();
    assertThat(lines(cli))
        .containsSubsequence(
            "agent: Goodbye!", "note: Call ended: all done", "note: The call is over: end_call")
        .doesNotContain("caller: Not said any more");
  }

  @Test
  void aTransferIsShownAndEndsTheCall() {
    model.calls("transfer_call", "{\"destination\":\"owner\"}").says("One moment.");

    Cli cli = call(agent(PHONE), "The owner, please.");

    assertThat(cli.exit()).isZero();
    assertThat(cli.err())
        .isEqualTo("The number of 'owner' is not set; +15550001111 stands for it.\n");
    assertThat(lines(cli))
        .containsSubsequence(
            "agent: One moment.",
            "note: Call transferred to +15550001111",
            "note: The call is over: transferred");
  }

  @Test
  void theCallerAgreesByKey() {
    webhook.answer(200, "{\"paid\":true}");
    model.calls("pay", "{}").says("Paid.");

    Cli cli = call(agent(PHONE + "consent = \"caller\"\n"), "Pay.\n/key 1\n/hangup\nlost");

    assertThat(lines(cli))
        .containsSubsequence(
            "tool: pay {}",
            "agent: Should I go ahead with pay? Press 1 for yes, or 2 for no.",
            "keys: 1",
            "tool: pay ok",
            "agent: Paid.",
            "note: The call is over: hung_up");
    assertThat(webhook.requests()).hasSize(1);
  }

  @Test
  void anOperatorIsNamedTheCommand() {
    model.calls("pay", "{}").says("Someone has to agree.");

    String agent = agent(PHONE + STORAGE);
    Cli cli = call(agent, "Pay.");

    assertThat(cli.out())
        .containsPattern(
            "note {4}'pay' waits for an operator\\. Answer with: switchboard approvals approve"
                + " sim-[-0-9a-f]+/call_\\d_1_1 \\Q"
                + agent
                + "\\E\n");
    assertThat(Cli.run("calls", "list", agent).out()).contains("sim-", "hung_up");
  }

  @Test
  void keysAreANoteForTheModel() {
    model.says("Twelve.");

    Cli cli = call(agent(""), "/key 12#\n/nothing\n/key x");

    assertThat(lines(cli)).containsSubsequence("keys: 12#", "agent: Twelve.");
    assertThat(model.requests().getLast().body()).contains("pressed 12 on the keypad");
    assertThat(cli.err())
        .isEqualTo(
            """
            Not done: there is no /nothing, only /key, /hangup, /help.
            Not done: /key takes digits, * and #.
            """);
  }

  @Test
  void promptAndFirstMessageKnowTheCaller() {
    String agent = agent("");
    model.says("Yes.");
    rewrite(agent, "first_message = \"Hi!\"", "first_message = \"Hi {name}, {caller}!\"");

    Cli cli = call(agent, "Me?", "--from", "+4915112345678", "--var", "name=Ann");

    assertThat(lines(cli)).startsWith("agent: Hi Ann, +4915112345678!");
  }

  private static void rewrite(String file, String from, String to) {
    try {
      Path path = Path.of(file);
      Files.writeString(path, Files.readString(path).replace(from, to));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aModelThatFailsEndsTheCall() {
    model.answers(StubAnswer.of(401, "{\"error\":{\"message\":\"bad key\"}}"));

    Cli cli = call(agent(PHONE), "Hello?\nStill there?");

    assertThat(cli.exit()).isOne();
    assertThat(cli.err()).contains("answered 401: bad key.");
    assertThat(lines(cli)).endsWith("agent: Sorry, no.", "note: The call is over: failed");
  }

  @Test
  void aCallIsRecordedAndPlayedBack() {
    String recording = folder.resolve("call.jsonl").toString();
    model.calls("look", "{}").says("Two", ".");
    Cli recorded = call(agent(""), "Tables?", "--record", recording);

    Cli replayed = call(agent(""), "Tables?", "--replay", recording);
    Cli other = call(agent(""), "Chairs?", "--replay", recording);

    assertThat(lines(replayed)).isEqualTo(lines(recorded)).contains("agent: Two.");
    assertThat(model.requests()).hasSize(2);
    assertThat(other.exit()).isOne();
    assertThat(other.err())
        .contains("switchboard: The recording is of another conversation: call.jsonl:2:");
  }

  @Test
  void wrongUsageIsOneSentence() {
    String bare = ChatToml.of(folder, webhook, "", "");

    assertThat(Cli.run("call", bare))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: Calls to phone numbers are not there yet; --simulate holds one on the"
                    + " keyboard.\n"));
    assertThat(call(bare, "").err())
        .isEqualTo(
            "switchboard: %s names no model: use --model openai:gpt-6-luna, or add model = \"openai:gpt-6-luna\" to its [agent] table.\n"
                .formatted(bare));
    assertThat(call(bare, "", "--from", "555").err())
        .isEqualTo("switchboard: --from must be + and 7 to 15 digits, not '555'.\n");
  }

  @Test
  void aLineThatIsNotTextEndsTheCall() {
    byte[] latin = {'h', (byte) 0xe9, '\n'};

    Cli cli = Cli.runWith(new ByteArrayInputStream(latin), "call", agent(""), "--simulate");

    assertThat(cli.exit()).isOne();
    assertThat(cli.err())
        .isEqualTo("switchboard: Line 1 was not taken: the line is not UTF-8 text.\n");
  }

  @Test
  void helpHasExamples() {
    assertThat(Cli.run("call", "--help").out())
        .contains("Examples:", "switchboard call agent.toml --simulate");
  }
}
