package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The built-in tools in the hosts of the command line.
class BuiltInToolsTest {
  private static final String ARCHIVE =
      """
      {"id":"1","name":"block","arguments":{"operation":"create","label":"fact","content":"The vault code is 4711"}}
      {"id":"2","name":"block","arguments":{"operation":"archive","label":"fact"}}
      """;
  private static final String BYE =
      "{\"id\":\"b\",\"name\":\"send_message\",\"arguments\":"
          + "{\"target\":{\"type\":\"user\"},\"content\":\"Bye\"}}";

  @TempDir private Path folder;

  private String agent(String rest) throws IOException {
    Path file = folder.resolve("agent.toml");
    Files.writeString(
        file,
        "[agent]\n"
            + "name = \"Archive\"\n"
            + "tools = [\"block\", \"search\", \"recall\", \"send_message\"]\n"
            + rest);
    return file.toString();
  }

  private static List<JsonNode> results(Cli cli) {
    return cli.json().stream()
        .filter(event -> event.path("type").asString().equals("tool_result"))
        .map(event -> event.path("payload"))
        .toList();
  }

  @Test
  void anArchivedBlockIsFoundAndRead() throws IOException {
    String storage = "[storage]\nurl = \"sqlite:agent.db\"\n";
    for (String rest : List.of("", storage)) {
      Cli cli =
          Cli.runWith(
              ARCHIVE
                  + """
                  {"id":"3","name":"search","arguments":{"domain":"archival_memory","query":"vault code"}}
                  {"id":"4","name":"recall","arguments":{"operation":"read","label":"fact"}}
                  {"id":"5","name":"recall","arguments":{"operation":"search","query":"vault"}}
                  {"id":"6","name":"block","arguments":{"operation":"read","label":"fact"}}
                  """,
              "exec",
              agent(rest));

      List<JsonNode> results = results(cli);
      assertThat(results).hasSize(6).allMatch(result -> result.path("success").asBoolean());
      assertThat(results.subList(2, 6))
          .allMatch(result -> result.path("text").asString().contains("The vault code is 4711"));
    }
    assertThat(Cli.run("memory", "search", "vault", agent(storage)).out())
        .contains("archival_memory", "fact", "The vault code is 4711");
    assertThat(Cli.run("memory", "search", "vault", "--json", agent(storage)).json())
        .singleElement()
        .satisfies(hit -> assertThat(hit.path("id").asString()).isEqualTo("block/fact"));
  }

  @Test
  void execDeliversAMessageAndTheTurnEnds() throws IOException {
    Cli cli = Cli.runWith(BYE + "\n" + BYE.replace("\"b\"", "\"c\""), "exec", agent(""));

    assertThat(cli.exit()).isZero();
    assertThat(cli.json().stream().map(event -> event.path("type").asString()))
        .containsExactly("tool_call", "content", "tool_result", "tool_call", "tool_result", "done");
    assertThat(cli.json().get(1).path("content").asString()).isEqualTo("Bye");
    assertThat(results(cli).getFirst().path("data").path("delivered").asInt()).isEqualTo(1);
    assertThat(results(cli).getLast().path("code").asString()).isEqualTo("skipped_after_exit");
    assertThat(cli.json().getLast().at("/payload/stopReason").asString()).isEqualTo("tool_rule");
  }

  @Test
  void toolCallShowsTheMessage() throws IOException {
    String arguments = "{\"target\":{\"type\":\"user\"},\"content\":\"Bye\"}";

    assertThat(Cli.run("tool", "call", agent(""), "send_message", arguments).out())
        .startsWith("Bye\n{\"message_id\":");
    Cli json = Cli.run("tool", "call", "--json", agent(""), "send_message", arguments);
    assertThat(json.json().getFirst().toString())
        .isEqualTo("{\"type\":\"content\",\"content\":\"Bye\"}");
    assertThat(json.json().getLast().path("success").asBoolean()).isTrue();
    assertThat(
            Cli.run("tool", "call", agent(""), "send_message", arguments.replace("user", "agent")))
        .satisfies(
            failed -> assertThat(failed.exit()).isOne(),
            failed -> assertThat(failed.err()).contains("send_message': /target"));
  }

  @Test
  void approvingShowsTheMessage() throws IOException {
    String agent =
        agent(
            """
            [[agent.tool_rules]]
            tool_name = "send_message"
            rule_type = "RequiresConsent"
            [storage]
            url = "sqlite:agent.db"
            """);
    Cli waits = Cli.runWith(BYE, "exec", "--conversation", "v-1", agent);
    assertThat(waits.out()).contains("consent_request").doesNotContain("\"type\":\"content\"");

    Cli approved = Cli.run("approvals", "approve", "b", agent);
    assertThat(approved.exit()).isZero();
    assertThat(approved.out()).startsWith("Bye\n{\"message_id\":");
  }
}
