package dev.switchboard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Rules and consent in `exec`: what goes in as lines, and what comes out as events.
class ExecRulesTest {
  private static final String ETL =
      """
      [[agent.tool_rules]]
      tool_name = "connect_db"
      rule_type = "StartConstraint"
      priority = 10
      [[agent.tool_rules]]
      tool_name = "extract_data"
      rule_type = "RequiresPreceding"
      conditions = ["connect_db"]
      priority = 8
      [[agent.tool_rules]]
      tool_name = "transform_data"
      rule_type = "RequiresPreceding"
      conditions = ["extract_data"]
      priority = 7
      [[agent.tool_rules]]
      tool_name = "load_warehouse"
      rule_type = "RequiresPreceding"
      conditions = ["transform_data"]
      priority = 6
      [[agent.tool_rules]]
      tool_name = "disconnect_db"
      rule_type = "ExitLoop"
      priority = 10
      """;

  @TempDir private Path folder;
  private StubWebhook webhook;

  @BeforeEach
  void start() {
    webhook = StubWebhook.start();
  }

  @AfterEach
  void stop() {
    webhook.close();
  }

  /// The events of an agent with these rules and tools, in a word each: a result's code or `ok`,
  /// behind the id of its call.
  private List<String> exec(String rules, String tools, String... lines) {
    String entries =
        Stream.of(tools.split(" ", -1))
            .map(name ->
                "[[tools]]\nname = \"%s\"\nwebhook_url = \"%s\"\n".formatted(name, webhook.url()))
            .collect(Collectors.joining());
    String network = "[network]\nallow = [\"" + webhook.hostAndPort() + "\"]\n";
    String file = AgentToml.write(folder, "[agent]\nname = \"A\"\n" + rules + entries + network);
    Cli cli = Cli.runWith(String.join("\n", lines) + "\n", "exec", file);
    List<String> words =
        cli.json().stream()
            .filter(event -> !type(event).equals("tool_call"))
            .map(this::word)
            .toList();
    assertThat(cli.exit()).as(cli.err()).isEqualTo(words.contains("bad_line") ? 1 : 0);
    return words;
  }

  private static String type(JsonNode event) {
    return event.path("type").stringValue();
  }

  private String word(JsonNode event) {
    JsonNode payload = event.path("payload");
    return switch (type(event)) {
      case "tool_result" -> {
        String id = payload.path("callId").stringValue();
        String code = payload.path("violation").asString(payload.path("code").asString("ok"));
        yield (id.startsWith("auto_") ? "auto" : id) + " " + code;
      }
      case "agent" -> event.path("event").stringValue() + " " + payload.path("id").asString("");
      case "error" -> event.path("code").stringValue();
      case "done" ->
          "done "
              + payload.path("stopReason").stringValue()
              + (payload.has("unmet") ? " " + payload.path("unmet") : "");
      default -> type(event);
    };
  }

  private static String call(String id, String tool) {
    return "{\"id\":\"%s\",\"name\":\"%s\",\"arguments\":{}}".formatted(id, tool);
  }

  private static String consent(String id, String rest) {
    return "{\"consent\":\"%s\",%s}".formatted(id, rest);
  }

  private static final String APPROVE = "\"decision\":\"approve\"";

  @Test
  void keepsThePipelineOfTheSeedInOrder() {
    String tools = "connect_db extract_data transform_data load_warehouse disconnect_db";
    assertThat(
            exec(
                ETL,
                tools,
                call("1", "transform_data"),
                call("2", "load_warehouse"),
                call("3", "extract_data"),
                call("4", "load_warehouse"),
                "[" + call("5", "transform_data") + "," + call("6", "load_warehouse") + "]",
                "[" + call("7", "disconnect_db") + "," + call("8", "extract_data") + "]",
                call("9", "extract_data"),
                "{\"user\":\"again\"}",
                call("10", "extract_data")))
        .containsExactly(
            "auto ok",
            "1 PREREQUISITES_NOT_MET",
            "2 PREREQUISITES_NOT_MET",
            "3 ok",
            "4 PREREQUISITES_NOT_MET",
            "5 ok",
            "6 ok",
            "7 ok",
            "8 skipped_after_exit",
            "9 skipped_after_exit",
            "done tool_rule",
            "10 ok",
            "done end_turn");
  }

  @Test
  void r151AsksByAnEventAndTakesTheAnswerFromALine() {
    assertThat(
            exec(
                "",
                "shell_rm get_it",
                "[" + call("1", "shell_rm") + "," + call("2", "get_it") + "]",
                call("3", "shell_rm"),
                "{\"user\":\"never mind\"}",
                consent("1", APPROVE),
                consent("1", APPROVE),
                consent("3", "\"decision\":\"deny\",\"reason\":\"not today\"")))
        .containsExactly(
            "consent_request 1",
            "2 ok",
            "consent_request 3",
            "consent_pending",
            "consent_answer 1",
            "1 ok",
            "bad_line",
            "consent_answer 3",
            "3 consent_denied",
            "done end_turn");
    assertThat(webhook.requests()).hasSize(2);
  }

  @Test
  void deniesWhatStillWaitsAtTheEndOfTheInput() {
    assertThat(exec("", "shell_rm", call("1", "shell_rm"), call("1", "shell_rm")))
        .containsExactly(
            "consent_request 1",
            "consent_answer 1",
            "1 no_approver",
            "1 no_approver",
            "done end_turn");
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void deniesWhatWaitsWhenTheUserGoesOnIfTheFileSaysSo() {
    assertThat(
            exec("pending = \"deny\"\n", "shell_rm", call("1", "shell_rm"), "{\"user\":\"well\"}"))
        .containsExactly(
            "consent_request 1",
            "consent_answer 1",
            "1 consent_denied",
            "done end_turn",
            "done end_turn");
  }

  @Test
  void r148InvalidAnswerLeavesRequestOpen() {
    assertThat(
            exec(
                "",
                "shell_rm",
                call("1", "shell_rm"),
                consent("1", "\"decision\":\"aprove\""),
                consent("1", APPROVE + ",\"for\":\"soon\""),
                consent("1", APPROVE + ",\"until\":1"),
                consent("1", APPROVE + ",\"arguments\":[]"),
                consent("1", "\"decision\":\"approve_always\",\"arguments\":{\"path\":\"x\"}"),
                "{\"id\":\"2\",\"name\":\"shell_rm\",\"arguments\":{\"path\":\"x\"}}",
                call("3", "shell_rm")))
        .containsExactly(
            "consent_request 1",
            "bad_line",
            "bad_line",
            "bad_line",
            "bad_line",
            "consent_answer 1",
            "1 ok",
            "2 ok",
            "consent_request 3",
            "consent_answer 3",
            "3 no_approver",
            "done end_turn");
    assertThat(webhook.requests().getFirst().body()).contains("\"arguments\":{\"path\":\"x\"}");
  }

  @Test
  void closesARequestThatNoOneAnswersInTime() {
    String rules = "limits = { consent_timeout = \"1ms\" }\n";
    webhook.answer(StubAnswer.of(200, "{}").delay(Duration.ofMillis(20)));
    assertThat(
            exec(
                rules,
                "shell_rm get_it",
                call("1", "shell_rm"),
                call("2", "get_it"),
                consent("1", APPROVE)))
        .filteredOn(word -> !word.equals("2 ok"))
        .containsExactly(
            "consent_request 1",
            "consent_answer 1",
            "1 consent_timeout",
            "bad_line",
            "done end_turn");
  }

  @Test
  void runsWhatIsRequiredAtTheEndAndNamesWhatItCannot() {
    String rules =
        """
        [[agent.tool_rules]]
        tool_name = "cleanup"
        rule_type = "RequiredBeforeExit"
        [[agent.tool_rules]]
        tool_name = "stop"
        rule_type = "ExitLoop"
        """;
    assertThat(exec(rules, "cleanup stop get_it", call("1", "stop"), call("2", "get_it")))
        .containsExactly("1 ok", "2 ok", "auto ok", "done tool_rule");
    webhook.answer(500, "down");
    assertThat(exec(rules, "cleanup stop", "{\"user\":\"hi\"}"))
        .containsExactly("auto failed", "done end_turn [\"cleanup\"]");
  }

  @Test
  void tellsTheModelThatItRepeatsItself() {
    assertThat(
            exec(
                "",
                "get_it",
                call("1", "get_it"),
                call("2", "get_it"),
                call("3", "get_it"),
                call("4", "get_it")))
        .containsExactly("1 ok", "2 ok", "3 ok", "4 repeated_call", "done end_turn");
  }

  private static final String SAVING =
      """
      [[agent.tool_rules]]
      tool_name = "end_it"
      rule_type = "ExitLoop"
      [[agent.tool_rules]]
      tool_name = "save_it"
      rule_type = "RequiredBeforeExit"
      """;

  @Test
  void anExitThatIsHeldBackKeepsItsReason() {
    webhook
        .answer(StubAnswer.of(200, "{\"success\":true,\"terminal\":true,\"message\":\"Paid.\"}"))
        .answer(StubAnswer.of(200, "{}"));

    assertThat(
            exec(
                SAVING,
                "pay end_it save_it get_it",
                call("c1", "pay"),
                call("c2", "save_it"),
                call("c3", "get_it")))
        .containsExactly("c1 ok", "c2 ok", "c3 skipped_after_exit", "done terminal_result");
  }

  @Test
  void aSignalEndsTheTurnWithWhatIsUnmet() {
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(List.of(Tool.dynamic("save_it").handler(arguments -> "saved")))
            .rules(ToolRule.requiredBeforeExit("save_it"))
            .build();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    EventLines events = new EventLines(new PrintStream(out, true, UTF_8));
    ToolSession session = ToolSession.builder("c").events(events::show).build();
    new ExecRun(executor, new ExecRun.Options(false, false), session, events).cancel();

    assertThat(out.toString(UTF_8))
        .isEqualTo(
            "{\"type\":\"done\",\"payload\":{\"stopReason\":\"cancelled\",\"unmet\":[\"save_it\"]}}\n");
  }
}
