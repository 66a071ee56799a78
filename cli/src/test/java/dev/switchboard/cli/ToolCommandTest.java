package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.StubWebhook;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ToolCommandTest {
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
  void listsToolsAsATable() {
    assertThat(Cli.run("tool", "list", agent))
        .isEqualTo(
            new Cli(
                0,
                """
                NAME                MODE      DESCRIPTION
                check_availability  external  Check if a table is free.
                list_tables         read
                shell_open          local
                """,
                ""));
  }

  @Test
  void listsToolsForPrograms() {
    assertThat(Cli.run("tool", "list", "--json", agent).json().getFirst())
        .hasToString(
            "{\"name\":\"check_availability\",\"mode\":\"external\",\"delivery\":\"at_least_once\",\"description\":\"Check"
                + " if a table\\n"
                + " is free.\"}");
  }

  @Test
  void printsDefinitionsAsTheModelSeesThem() {
    assertThat(Cli.run("tool", "schema", agent).out().lines()).hasSize(3);
    assertThat(Cli.run("tool", "schema", agent, "list_tables").out())
        .isEqualTo(
            "{\"name\":\"list_tables\",\"description\":\"\","
                + "\"parameters\":{\"type\":\"object\",\"properties\":{}}}\n");
    JsonNode strict = Cli.run("tool", "schema", agent, "check_availability").json().getFirst();
    assertThat(strict.path("strict").booleanValue()).isTrue();
    assertThat(strict.at("/parameters/required/0").stringValue()).isEqualTo("date");
  }

  @Test
  void namesTheClosestToolWhereThereIsNone() {
    assertThat(Cli.run("tool", "schema", agent, "list_table"))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: The agent has no tool 'list_table'; did you mean 'list_tables'?\n"));
  }

  @Test
  void callsOneToolAndPrintsWhatTheModelReads() {
    webhook.answer(200, "{\"tables\": [1, 2]}");

    assertThat(Cli.run("tool", "call", agent, "list_tables", "{}"))
        .satisfies(
            cli -> assertThat(cli.exit()).isZero(),
            cli -> assertThat(cli.out()).isEqualTo("{\"tables\": [1, 2]}\n"));
    JsonNode result =
        Cli.run("tool", "call", "--json", agent, "list_tables", "{}").json().getFirst();
    assertThat(result.path("success").booleanValue()).isTrue();
    assertThat(result.at("/data/tables/1").intValue()).isEqualTo(2);
  }

  @Test
  void aCallThatFailsExitsWithOneAndItsError() {
    Cli cli = Cli.run("tool", "call", agent, "check_availability", "{\"date\":1}");

    assertThat(cli)
        .isEqualTo(
            new Cli(
                1,
                "",
                "switchboard: Invalid arguments for tool 'check_availability': /date: expected"
                    + " string in format date, found number 1\n"));
    assertThat(Cli.run("tool", "call", "--json", agent, "nothing", "{}"))
        .satisfies(
            failed -> assertThat(failed.exit()).isOne(),
            failed -> assertThat(failed.out()).contains("\"code\":\"unknown_tool\""),
            failed -> assertThat(failed.err()).startsWith("switchboard: Unknown tool 'nothing'"));
  }

  @Test
  void aFailureOfTheToolsOwnIsAFailureOfTheCall() {
    webhook.answer(200, "{\"success\": false, \"message\": \"fully booked\"}");

    assertThat(Cli.run("tool", "call", agent, "list_tables", "{}"))
        .satisfies(
            cli -> assertThat(cli.exit()).isOne(),
            cli -> assertThat(cli.err()).endsWith("switchboard: fully booked\n"));
  }

  @Test
  void aFailureIsToldByItsMessageBeforeItsError() {
    webhook.answer(200, "{\"success\": false, \"message\": \"fully booked\", \"error\": \"E42\"}");

    assertThat(Cli.run("tool", "call", agent, "list_tables", "{}").err())
        .endsWith("switchboard: fully booked\n");
  }

  @Test
  void anAtSignIsNotAFileOfArguments() {
    assertThat(Cli.run("tool", "call", agent, "@list", "{}").err())
        .contains("Unknown tool '@list'");
  }

  @Test
  void withoutACommandSaysWhereHelpIs() {
    assertThat(Cli.run("tool"))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: Missing required subcommand; see 'switchboard tool --help'.\n"));
  }

  @Test
  void asksBeforeItCallsAToolThatNeedsConsent() {
    Cli yes = Cli.runWith("y\n", "tool", "call", agent, "shell_open", "{}");
    assertThat(yes.exit()).isZero();
    assertThat(yes.err()).contains("acts on this machine (mode local). Run it with {}? [y/N]");
    assertThat(webhook.requests()).hasSize(1);

    assertThat(Cli.runWith("no\n", "tool", "call", agent, "shell_open", "{}").err())
        .contains("was not approved");
    assertThat(Cli.run("tool", "call", agent, "shell_open", "{}").err())
        .contains("no one is available to give it");
    assertThat(webhook.requests()).hasSize(1);
  }

  @Test
  void showsNoToolThatARuleForbids() {
    String rules =
        """
        [[agent.tool_rules]]
        tool_name = "wipe"
        rule_type = "Forbidden"
        [[agent.tool_rules]]
        tool_name = "notes"
        rule_type = { AllowedOperations = ["read"] }
        [[tools]]
        name = "wipe"
        webhook_url = "https://api.example.com/wipe"
        [[tools]]
        name = "notes"
        webhook_url = "https://api.example.com/notes"
        parameters = { type = "object", properties = { operation = { enum = ["read", "delete"] } } }
        """;
    String file = AgentToml.write(folder, "[agent]\n" + rules);
    assertThat(Cli.run("tool", "list", file).out()).contains("notes").doesNotContain("wipe");
    assertThat(Cli.run("tool", "schema", file).out())
        .contains("\"read\"")
        .doesNotContain("delete", "wipe");
  }
}
