package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ExecCommandTest {
  private static final String GOOD =
      "{\"id\":\"c1\",\"name\":\"check_availability\",\"arguments\":{\"date\":\"2025-03-15\"}}";

  @TempDir private Path folder;
  private StubWebhook webhook;
  private String agent;

  @BeforeEach
  void start() {
    webhook = StubWebhook.start();
    agent = AgentToml.of(folder, webhook);
  }

  @AfterEach
  void stop() {
    webhook.close();
  }

  @Test
  void printsTheCallAndItsResultAndEndsTheTurn() {
    webhook.answer(200, "{\"available\": true}");

    Cli cli = exec(GOOD);

    assertThat(cli.exit()).isZero();
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out())
        .isEqualTo(
            """
            {"type":"tool_call","payload":%s,"mode":"external"}
            {"type":"tool_result","payload":{"callId":"c1","success":true,"data":{"available":true},"text":"{\\"available\\": true}"},"tool":"check_availability"}
            {"type":"done","payload":{"stopReason":"end_turn"}}
            """
                .formatted(GOOD));
  }

  @Test
  void tellsTheWebhookWhoTalks() {
    Cli.runWith(
        GOOD, "exec", agent, "--conversation", "v-7", "--caller", "+1555", "--callee", "+1666");

    StubRequest request = webhook.requests().getFirst();
    assertThat(request.body())
        .isEqualTo(
            "{\"tool\":\"check_availability\",\"tool_name\":\"check_availability\","
                + "\"arguments\":{\"date\":\"2025-03-15\"},\"call_id\":\"v-7\","
                + "\"caller\":\"+1555\",\"callee\":\"+1666\",\"attempt\":1}");
  }

  @Test
  void anEmptyInputEndsItsTurnToo() {
    assertThat(exec("").out())
        .isEqualTo("{\"type\":\"done\",\"payload\":{\"stopReason\":\"end_turn\"}}\n");
    assertThat(types(exec("\n  \n"))).containsExactly("done");
  }

  @Test
  void failedCallsAreTakenToo() {
    webhook.answer(500, "down");

    Cli cli = exec(GOOD);

    assertThat(cli.exit()).isZero();
    assertThat(payload(cli, 1).path("code").stringValue()).isEqualTo("failed");
    assertThat(payload(cli, 1).path("fallback").booleanValue()).isTrue();
  }

  @Test
  void takesAListAsOneRoundWithAResultForEach() {
    Cli cli = exec("[" + call("a", "list_tables") + "," + call("b", "list_tables") + "]");

    assertThat(cli.json().stream().filter(event -> is(event, "tool_result")))
        .extracting(event -> event.path("payload").path("callId").stringValue())
        .containsExactlyInAnyOrder("a", "b");
    // On a busy machine the reassurance of the tools comes too.
    assertThat(types(cli))
        .filteredOn(type -> !type.equals("loader-hint"))
        .containsExactly("tool_call", "tool_call", "tool_result", "tool_result", "done");
  }

  @Test
  void callsOfARoundOverlap() {
    CountDownLatch both = new CountDownLatch(2);
    webhook.answer(request -> {
      both.countDown();
      await(both);
      return StubAnswer.of(200, "{}");
    });

    Cli cli = exec("[" + call("a", "list_tables") + "," + call("b", "list_tables") + "]");

    assertThat(results(cli)).hasSize(2).allMatch(result -> result.path("success").booleanValue());
  }

  @Test
  void aUsersSentenceBeginsANewTurn() {
    webhook.answer(200, "{\"success\": true, \"terminal\": true}").answer(200, "{}");
    String again = call("c2", "list_tables");

    Cli cli = exec(GOOD + "\n" + again + "\n{\"user\":\"go on\"}\n" + call("c3", "list_tables"));

    assertThat(results(cli))
        .extracting(result -> result.path("code").stringValue(""))
        .containsExactly("", "skipped_after_exit", "");
    assertThat(stopReasons(cli)).containsExactly("terminal_result", "end_turn");
    assertThat(types(cli).getLast()).isEqualTo("done");
  }

  @Test
  void aFirstSentenceEndsNoTurn() {
    assertThat(types(exec("{\"user\":\"hello\"}\n" + GOOD)))
        .containsExactly("tool_call", "tool_result", "done");
    assertThat(stopReasons(exec("{\"user\":\"a\"}\n{\"user\":\"b\"}"))).hasSize(2);
  }

  @Test
  void theSameCallTwiceRunsOnce() {
    Cli cli = exec(GOOD + "\n" + GOOD);

    assertThat(results(cli)).hasSize(2);
    assertThat(webhook.requests()).hasSize(1);
    assertThat(results(exec(GOOD + "\n" + call("c1", "list_tables"))).get(1).path("code"))
        .hasToString("\"duplicate_id\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"id":"c1"} | a tool call needs 'name', a non-empty string
          {"id":"c1","name":7,"arguments":{}} | a tool call needs 'name', a non-empty string
          {"id":"c1","name":"list_tables"} | a tool call needs 'arguments', a JSON object
          {"id":"c1","name":"list_tables","arguments":{},"x":1} | a tool call has no member 'x'
          {"id":"c1","name":"list_tables","arguments":{},"user":"x"} | a tool call has no member 'user'
          {"id":"c1","id":"c1","name":"list_tables","arguments":{}} | its member 'id' is there twice
          {"id":"c1","name":"list_tables","arguments":{"a": | the call is not JSON: it ends too early (line 1, column 50)
          {"id":"c1","name":"list_tables","arguments":{}} {} | the call is not JSON: something follows the value (line 1, column 49)
          {"id":"c1","name":"list_tables","arguments":{"a":[}} | the call is not JSON: the syntax is broken (line 1, column 51)
          {"\\u0069d":"c1","name":"list_tables"} | a tool call needs 'arguments', a JSON object
          [{"id":"c1","name":"list_tables","arguments":{}} | the list is not JSON: it ends too early (line 1, column 49)
          [{"id":"c1","na | the list is not JSON: it ends too early (line 1, column 16)
          """)
  void whoeverHasAnIdGetsAResult(String line, String why) {
    Cli cli = exec(line);

    assertThat(cli.exit()).isZero();
    assertThat(types(cli)).containsExactly("tool_call", "tool_result", "done");
    assertThat(payload(cli, 0).path("id").stringValue()).isEqualTo("c1");
    JsonNode result = payload(cli, 1);
    assertThat(result.path("callId").stringValue()).isEqualTo("c1");
    assertThat(result.path("code").stringValue()).isEqualTo("invalid_arguments");
    assertThat(result.path("needsFollowup").booleanValue()).isTrue();
    assertThat(result.path("error").stringValue()).isEqualTo("Malformed tool call: " + why);
    assertThat(webhook.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"{}\"",
        "null",
        "[]",
        "{\"date\":\"2025-03-15\",\"date\":\"2025-03-16\"}",
        "{\"date\":\"\\ud800\"}",
        "{\"date\":12}",
        "{}"
      })
  void argumentsThatAreNoneAreFaults(String arguments) {
    Cli cli =
        exec("{\"id\":\"c1\",\"name\":\"check_availability\",\"arguments\":" + arguments + "}");

    assertThat(payload(cli, 1).path("code").stringValue()).isEqualTo("invalid_arguments");
    assertThat(payload(cli, 1).path("faults")).isNotEmpty();
  }

  @Test
  void argumentsMayNestAsDeepAsSchemaAllows() {
    String deep = "{\"a\":" + "[".repeat(183) + "]".repeat(183) + "}";

    Cli cli = exec(call("c1", "list_tables").replace("{}", deep));

    assertThat(cli.out()).contains("{\"callId\":\"c1\",\"success\":true,");
    assertThat(webhook.requests().getFirst().body()).contains(deep);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          hello               | a line is a tool call, a list of them, {"user": text}, or {"consent": id, "decision": "approve"}
          7                   | a line is a tool call, a list of them, {"user": text}, or {"consent": id, "decision": "approve"}
          {}                  | a tool call needs 'id', a non-empty string
          {"id":7,"name":"x"} | a tool call needs 'id', a non-empty string
          {"user":7}          | a user's line is {"user": text} and nothing else
          {"user":"a","x":1}  | a user's line is {"user": text} and nothing else
          {"consent":"c1","decision":"approve"} | no call 'c1' waits for consent
          {"name":"x"         | the call is not JSON: it ends too early (line 1, column 12)
          []                  | the list has no tool call
          [                   | the list is not JSON: it ends too early (line 1, column 2)
          [7]                 | a tool call must be a JSON object
          [{"user":"x"}]      | a user's line is {"user": text} and nothing else
          """)
  void aLineThatCannotBeAnsweredIsAnErrorAndTheNextIsRead(String line, String why) {
    Cli cli = exec("\n" + line + "\n" + GOOD);

    assertThat(cli.exit()).isOne();
    assertThat(types(cli)).containsExactly("error", "tool_call", "tool_result", "done");
    assertThat(cli.json().getFirst())
        .hasToString(
            "{\"type\":\"error\",\"message\":\"Line 2 was not taken: "
                + why.replace("\"", "\\\"")
                + ".\",\"code\":\"bad_line\",\"line\":2}");
  }

  @Test
  void eachElementOfAListIsTakenForItself() {
    Cli cli = exec("[" + GOOD + ",{\"id\":\"c2\"},3]");

    assertThat(results(cli))
        .extracting(result -> result.path("callId").stringValue())
        .containsExactlyInAnyOrder("c1", "c2");
    assertThat(types(cli)).contains("error");
    assertThat(webhook.requests()).hasSize(1);
  }

  @Test
  void aMalformedCallTakesNoIdFromACallBeforeIt() {
    Cli cli = exec("[" + call("a", "list_tables") + ",{\"id\":\"a\",\"name\":7}]");

    assertThat(cli.json().stream().filter(event -> is(event, "tool_result")))
        .extracting(event -> event.path("payload").path("code").asString("none"))
        .containsExactly("none", "duplicate_id");
  }

  @Test
  void readsLinesOfAnyKind() {
    byte[] notText = {'{', (byte) 0xff, '}', '\n'};
    String rest = "\uFEFF\n" + GOOD + "\r\n" + call("c2", "list_tables");
    byte[] bytes = concat(notText, rest.getBytes(StandardCharsets.UTF_8));

    Cli cli = Cli.runWith(new ByteArrayInputStream(bytes), "exec", agent);

    assertThat(cli.json().getFirst().path("message").stringValue())
        .isEqualTo("Line 1 was not taken: the line is not UTF-8 text.");
    assertThat(results(cli)).hasSize(2);
  }

  @Test
  void takesVeryLongLines() {
    String text = "x".repeat(5_000_000);

    Cli cli = exec(call("c1", "list_tables").replace("{}", "{\"text\":\"" + text + "\"}"));

    assertThat(results(cli).getFirst().path("success").booleanValue()).isTrue();
    assertThat(webhook.requests().getFirst().body()).hasSizeGreaterThan(5_000_000);
  }

  @Test
  void noOneIsThereToGiveConsent() {
    assertThat(results(exec(call("c1", "shell_open"))).getFirst().path("code").stringValue())
        .isEqualTo("no_approver");
  }

  @Test
  void showsProgressAndReassurance() {
    webhook.answer(StubAnswer.of(200, "{}").delay(Duration.ofMillis(50)));

    Cli cli = exec(call("c1", "list_tables"));

    assertThat(cli.json().get(1))
        .hasToString(
            "{\"type\":\"loader-hint\",\"taskId\":\"c1\",\"hint\":\"One moment...\","
                + "\"kind\":\"reassurance\",\"after_ms\":0}");
  }

  @Test
  void leavesAnAuditLog() throws IOException {
    Path audit = folder.resolve("audit.jsonl");

    Cli.runWith(GOOD, "exec", agent, "--audit", audit.toString());
    Cli.runWith("{\"id\":\"c2\"}", "exec", agent, "--audit", audit.toString());

    assertThat(Files.readAllLines(audit))
        .hasSize(2)
        .satisfies(lines -> assertThat(lines.get(0)).contains("\"check_availability\""))
        .satisfies(lines -> assertThat(lines.get(1)).contains("\"invalid_arguments\""));
    assertThat(Cli.run("exec", agent, "--audit", folder.toString()))
        .isEqualTo(
            new Cli(2, "", "switchboard: The audit log " + folder + " cannot be written.\n"));
  }

  @Test
  void endsQuietlyWhenNoOneReadsOn() {
    PrintStream closed = new PrintStream(new Broken(), true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(OutputStream.nullOutputStream(), true);
    byte[] lines = (GOOD + "\n" + call("c2", "list_tables")).getBytes(StandardCharsets.UTF_8);

    int exit = Main.run(new String[] {"exec", agent}, new ByteArrayInputStream(lines), closed, err);

    assertThat(exit).isOne();
    assertThat(webhook.requests()).hasSize(1);
  }

  @Test
  void aWrongFileIsOneSentence() {
    Path missing = folder.resolve("none.toml");

    assertThat(Cli.run("exec", missing.toString()))
        .isEqualTo(
            new Cli(2, "", "switchboard: " + missing + ": error: the file does not exist\n"));
    assertThat(Cli.run("exec", folder.toString()).err()).contains("is a directory");
    assertThat(Cli.run("exec").exit()).isEqualTo(2);
  }

  @Test
  void namesEveryFaultOfAnAgentThatCannotBeUsed() {
    String file = AgentToml.write(folder, "[[tools]]\nname = \"x\"\n\n[[tools]]\n");

    assertThat(Cli.run("exec", file).err())
        .isEqualTo(
            """
            FILE:1:1: error: tools[0] requires either 'webhook_url' or 'handler'; a tool made in Java has no entry here, only its name in agent.tools; 'http', 'command' and 'wasm' answer too
            FILE:4:1: error: tools[1] requires a 'name'
            FILE:4:1: error: tools[1] requires either 'webhook_url' or 'handler'; a tool made in Java has no entry here, only its name in agent.tools; 'http', 'command' and 'wasm' answer too
            switchboard: FILE: 3 errors
            """
                .replace("FILE", file));
  }

  private static final class Broken extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("Broken pipe");
    }
  }

  private Cli exec(String lines) {
    return Cli.runWith(lines, "exec", agent);
  }

  private static String call(String id, String name) {
    return "{\"id\":\"%s\",\"name\":\"%s\",\"arguments\":{}}".formatted(id, name);
  }

  private static boolean is(JsonNode event, String type) {
    return event.path("type").stringValue().equals(type);
  }

  private static List<String> types(Cli cli) {
    return cli.json().stream().map(event -> event.path("type").stringValue()).toList();
  }

  private static List<JsonNode> results(Cli cli) {
    return cli.json().stream()
        .filter(event -> is(event, "tool_result"))
        .map(event -> event.path("payload"))
        .toList();
  }

  private static List<String> stopReasons(Cli cli) {
    return cli.json().stream()
        .filter(event -> is(event, "done"))
        .map(event -> event.path("payload").path("stopReason").stringValue())
        .toList();
  }

  private static JsonNode payload(Cli cli, int event) {
    return cli.json().get(event).path("payload");
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = new byte[first.length + second.length];
    System.arraycopy(first, 0, both, 0, first.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
