package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.config.AgentFile;
import dev.switchboard.mount.Role;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

class ServeCommandTest {
  @TempDir private Path folder;

  private String agent() {
    return AgentToml.write(
        folder,
        """
        [agent]
        name = "Desk"
        model = { provider = "openai", name = "stub", base_url = "http://127.0.0.1:1" }
        """);
  }

  private Cli serve(String... words) {
    return Serving.of(folder, words).end();
  }

  @Test
  void theDemonstrationIsServedUntilItIsInterrupted() throws IOException {
    Serving demo = Serving.of(folder, "--demo");

    HttpRequest livez = HttpRequest.newBuilder(demo.url("/livez")).build();
    assertThat(demo.send(livez).body()).isEqualTo("ok\n");
    HttpResponse<String> console = demo.send(HttpRequest.newBuilder(demo.url("/")).build());
    assertThat(console.headers().firstValue("Content-Type")).hasValue("text/html;charset=utf-8");
    Awaitility.await()
        .until(() ->
            demo.get("/v1/approvals")
                .at("/items/0/call/name")
                .asString("")
                .equals("cancel_reservation"));
    assertThat(demo.get("/v1/conversations").at("/items/0/id").asString("")).isEqualTo("demo");
    JsonNode breaker = demo.get("/v1/agents/Reservations/breakers").path("items");
    assertThat(breaker.toString()).contains("\"open\"");
    assertThat(breaker.findValue("retryAfterMs").asLong()).isGreaterThan(300_000);

    answer(demo, "{\"decision\":\"approve\",\"arguments\":{\"reservation\":\"R2\"}}");
    Awaitility.await()
        .untilAsserted(() -> assertThat(said(demo)).endsWith("Reservation R2 is cancelled."));
    // The turn is not over as soon as its last words are there.
    Awaitility.await()
        .untilAsserted(() ->
            assertThat(demo.say("demo", "Cancel the other one.", "k1"))
                .doesNotContain("\"status\":409"));
    answer(demo, "{\"decision\":\"deny\"}");
    Awaitility.await().untilAsserted(() -> assertThat(said(demo)).contains("That was denied"));

    Cli ended = demo.end();
    assertThat(ended.exit()).isZero();
    assertThat(ended.out())
        .matches(
            """
            Serving '\\w+' at http://127\\.0\\.0\\.1:\\d+
            Answering calls from the console as 'Reservations'\\.
            Log in with this token, which is not shown again:
            sbt_\\S{43}
            """);
    assertThatThrownBy(() -> demo.send(livez)).isInstanceOf(ConnectException.class);
  }

  private static void answer(Serving demo, String answer) throws IOException {
    String id =
        Awaitility.await()
            .until(
                () -> demo.get("/v1/approvals").at("/items/0/id").asString(""),
                waiting -> !waiting.isEmpty());
    assertThat(demo.post("/v1/approvals/" + id, answer).path("by").asString())
        .isEqualTo("operator");
  }

  private static String said(Serving demo) throws IOException {
    JsonNode events = demo.get("/v1/conversations/demo/events?limit=1000");
    return String.join("", events.findValuesAsString("content"));
  }

  @Test
  void theTokenIsShownAtTheFirstStartOnly() throws IOException {
    String token;
    try (Serving first = Serving.of(folder, agent())) {
      token = first.token();
      String expected =
          agent()
              + " has no [storage]: its conversations last as long as this server.\n"
              + "Tokens are in %1$s; another: switchboard token add NAME --role ROLE --tokens %1$s\n"
                  .formatted(folder.resolve("tokens"));
      Awaitility.await().untilAsserted(() -> assertThat(first.err()).isEqualTo(expected));
    }
    Cli list = Cli.run("token", "list", "--tokens", folder.resolve("tokens").toString());
    assertThat(list.out()).contains("operator", "operate").doesNotContain(token);
  }

  @Test
  void anAgentIsNamedOrTheDemonstration() {
    assertThat(serve())
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: There is no agent's file here: name one, or write one with"
                    + " 'switchboard init'.\n"));
    assertThat(serve("--demo", agent()))
        .isEqualTo(new Cli(2, "", "switchboard: --demo brings its own agent; name no file.\n"));
  }

  @Test
  void aPortInUseIsOneSentence() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Cli cli = serve("--demo", "--port", Integer.toString(taken.getLocalPort()));

      assertThat(cli)
          .isEqualTo(
              new Cli(
                  2,
                  "",
                  "switchboard: Port %d of 127.0.0.1 is in use; --port names another, 0 any that is free.\n"
                      .formatted(taken.getLocalPort())));
    }
  }

  @Test
  void failedStartCreatesNoToken() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Cli cli = serve(agent(), "--port", Integer.toString(taken.getLocalPort()));
      assertThat(cli.exit()).isEqualTo(2);
    }
    assertThat(folder.resolve("tokens")).doesNotExist();
    try (Serving next = Serving.of(folder, agent())) {
      assertThat(next.token()).startsWith("sbt_");
    }
  }

  @Test
  void everyStartSaysWhereTokensAreAndWhichAreNotValid() throws IOException {
    Path tokens = folder.resolve("tokens");
    Tokens.open(tokens).add("ada", Role.CHAT);
    Files.writeString(tokens, Files.readString(tokens).replace("ada", "stdio"));

    Cli cli = serve(agent());
    assertThat(cli.err())
        .contains(
            "The token of 'stdio' is not valid: the name stands for clients without a token; add"
                + " one of another name.\n",
            "No token in " + tokens + " has the role operate; for one: switchboard token add NAME");
  }

  @Test
  void theStartSaysWhatAllPrincipalsShareOfTheMemory() throws IOException {
    String agent = agent();
    Path file = Path.of(agent);
    Files.writeString(
        file,
        Files.readString(file)
            + """

            [agent.memory.board]
            content = "Open."
            scope = "agent"
            """);
    try (Serving serving = Serving.of(folder, agent)) {
      Awaitility.await()
          .until(
              () -> serving.err().contains("All principals share these memory blocks of agent '"));
    }
  }

  @Test
  void itsOptionsMayStandInAFile() throws IOException {
    Path file = folder.resolve("server.toml");
    Files.writeString(
        file,
        """
        [server]
        client_system = true
        allow_origin = ["https://app.example.com"]
        host = "no.such.host.invalid"
        tokens = "other"
        """);

    assertThat(serve(agent(), "--config", file.toString()).err())
        .contains("'no.such.host.invalid' is not an address of this machine");
    try (Serving serving =
        Serving.of(folder, agent(), "--config", file.toString(), "--host", "127.0.0.1")) {
      HttpResponse<String> answer =
          serving.send(
              serving.request("/v1/me").header("Origin", "https://app.example.com").build());
      assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
          .hasValue("https://app.example.com");
    }
  }

  @Test
  void theFilesKeysAreTheOptionsAndOthersAreFaults() throws IOException {
    List<String> options =
        CommandLine.Model.CommandSpec.forAnnotatedObject(new ServerOptions()).options().stream()
            .map(option -> option.longestName().substring(2).replace('-', '_'))
            .filter(name -> !name.equals("config"))
            .toList();
    assertThat(AgentFile.ServerOptions.keys()).containsExactlyInAnyOrderElementsOf(options);

    Path file = folder.resolve("server.toml");
    Files.writeString(file, "[server]\nprot = 9000\n");
    assertThat(serve(agent(), "--config", file.toString()).err())
        .contains(file + ":2:1: ", "prot", "'port'");
    Files.writeString(file, "port = 9000\n");
    assertThat(serve(agent(), "--config", file.toString()).exit()).isEqualTo(2);
    Files.writeString(file, "");
    assertThat(serve(agent(), "--config", file.toString()).err())
        .contains("needs a table [server]");
  }

  @Test
  void wrongSettingsAreOneSentence() {
    assertThat(serve(agent(), agent()).err())
        .endsWith("switchboard: The server cannot be set up: two agents are named 'Desk'.\n");
    assertThat(serve("--demo", "--public-url", "https://a.example/path").err())
        .isEqualTo(
            "switchboard: The server cannot be set up: the public URL must be one such as"
                + " https://agents.example.com, without a path.\n");
    assertThat(serve("--demo", "--token-env", "SWITCHBOARD_NOT_SET").err())
        .isEqualTo("switchboard: The environment variable SWITCHBOARD_NOT_SET holds no token.\n");
    for (String port : List.of("--port=-1", "--port=65536", "--management-port=65536")) {
      assertThat(serve("--demo", port))
          .isEqualTo(new Cli(2, "", "switchboard: A port is a number from 0 to 65535.\n"));
    }
    for (String host : List.of("no.such.host.invalid", "192.0.2.1")) {
      assertThat(serve("--demo", "--host", host).err())
          .isEqualTo(
              "switchboard: '%s' is not an address of this machine; --host names one, 0.0.0.0 is all of them.\n"
                  .formatted(host));
    }
  }

  @Test
  void oneServerServesAStorage() throws IOException {
    try (StubWebhook webhook = StubWebhook.start();
        Serving first = Serving.of(folder, stored(webhook))) {
      assertThat(first.get("/v1/agents").at("/items/0/name").asString("")).isEqualTo("Desk");
      Cli second = serve(stored(webhook));

      assertThat(second.exit()).isEqualTo(2);
      assertThat(second.err()).contains("process " + ProcessHandle.current().pid());
    }
  }

  private String stored(StubWebhook webhook) {
    return AgentToml.write(
        folder,
        """
        [agent]
        name = "Desk"
        model = { provider = "openai", name = "stub", base_url = "%s" }

        [storage]
        url = "sqlite:desk.db"
        """
            .formatted(webhook.url()));
  }
}
