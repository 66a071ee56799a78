package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.AgentFile;
import dev.switchboard.mcp.McpTable;
import dev.switchboard.mcp.client.McpSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// MCP servers as other programs' files name them.
class McpImportTest {
  /// @param has texts of the written tables
  /// @param says texts of the sentences about them
  record Form(String program, String file, String text, List<String> has, List<String> says) {
    @Override
    public String toString() {
      return program;
    }
  }

  static Stream<Form> forms() {
    return Stream.of(
        new Form(
            "Claude Desktop",
            "claude_desktop_config.json",
            """
            {"globalShortcut":"","mcpServers":{"fs":{"command":"npx","args":["-y","fs","/tmp"],"env":{"KEY":"k"}}}}
            """,
            List.of(
                "name = \"fs\"", "command = \"npx\"", "\"-y\", \"fs\", \"/tmp\"", "KEY = \"k\""),
            List.of("Secrets of 'fs'")),
        new Form(
            "Claude Code",
            ".mcp.json",
            """
            {"mcpServers":{"api":{"type":"http","url":"${BASE:-https://api.example.com}/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}}}}
            """,
            List.of("url = \"${BASE:-https://api.example.com}/mcp\"", "\"Bearer ${TOKEN}\""),
            List.of()),
        new Form(
            "all of Claude Code",
            ".claude.json",
            """
            {"numStartups":3,"projects":{"/home/a":{"mcpServers":{"p":{"command":"x"}}}}}
            """,
            List.of("name = \"p\""),
            List.of()),
        new Form(
            "VS Code",
            "mcp.json",
            """
            {
              // comment
              "inputs": [{"type":"promptString","id":"key","description":"API Key","password":true}],
              "servers": {
                "github": {"type":"http","url":"https://api.example.com/mcp/","headers":{"Authorization":"Bearer ${input:key}"}},
                "pg": {"type":"stdio","command":"npx","args":["-y","x","${workspaceFolder}","${env:DB}"],"envFile":"${workspaceFolder}/.env"},
              }
            }
            """,
            List.of("Bearer ${KEY}", "name = \"pg\"", "\"x\", \".\", \"${DB}\""),
            List.of(
                "'${input:key}' of 'github' is the environment variable KEY here: set it.",
                "'envFile' of 'pg' is not kept.",
                "'${workspaceFolder}' of 'pg' is the agent's folder here.")),
        new Form(
            "settings of VS Code",
            "settings.json",
            """
            {"editor.fontSize":12,"mcp":{"inputs":[],"servers":{"a":{"command":"${userHome}/a"}}}}
            """,
            List.of("command = \"${HOME}/a\""),
            List.of()),
        new Form(
            "Cursor",
            "mcp.json",
            """
            {"mcpServers":{"c":{"command":"python","args":["s.py"],"env":{"A":"${env:A_KEY}"}}}}
            """,
            List.of("A = \"${A_KEY}\""),
            List.of()),
        new Form(
            "Windsurf",
            "mcp_config.json",
            """
            {"mcpServers":{"w":{"serverUrl":"https://w.example.com/mcp","disabledTools":["drop"]},"off":{"command":"x","disabled":true}}}
            """,
            List.of("url = \"https://w.example.com/mcp\"", "exclude = [\"drop\"]"),
            List.of("'off' is left out: it is disabled.")),
        new Form(
            "Zed",
            "settings.json",
            """
            // Zed
            {"theme":"One","context_servers":{"z":{"source":"custom","command":"zz","args":["a"],"env":null},
              "old":{"command":{"path":"old","args":["b"],"env":{"E":"${E}"}},"settings":{}}}}
            """,
            List.of("command = \"zz\"", "command = \"old\"", "args = [\"b\"]", "E = \"${E}\""),
            List.of()),
        new Form(
            "Continue",
            "config.yaml",
            """
            name: mine
            mcpServers:
              - name: Web docs
                type: streamable-http
                url: https://docs.example.com/mcp
                requestOptions:
                  headers:
                    X-Key: ${{ secrets.DOCS_KEY }}
              - name: local
                command: uvx
                args: [local]
            """,
            List.of("name = \"Web-docs\"", "\"${DOCS_KEY}\"", "command = \"uvx\""),
            List.of()),
        new Form(
            "Continue, before YAML",
            "config.json",
            """
            {"experimental":{"modelContextProtocolServers":[{"transport":{"type":"stdio","command":"uvx","args":["a"]}}]}}
            """,
            List.of("name = \"server-1\"", "command = \"uvx\""),
            List.of()),
        new Form(
            "Gemini CLI",
            "settings.json",
            """
            {"mcpServers":{"g":{"httpUrl":"https://g.example.com/mcp","headers":{"T":"$G_TOKEN"},"timeout":5000,"includeTools":["a"],"trust":true}}}
            """,
            List.of(
                "url = \"https://g.example.com/mcp\"", "T = \"${G_TOKEN}\"", "include = [\"a\"]"),
            List.of("'timeout' of 'g' is not kept.", "'trust' of 'g' is not kept.")),
        new Form(
            "LM Studio",
            "mcp.json",
            """
            {"mcpServers":{"hf":{"url":"https://hf.example.com/mcp","headers":{"Authorization":"Bearer x"}}}}
            """,
            List.of("url = \"https://hf.example.com/mcp\""),
            List.of("Secrets of 'hf'")),
        new Form(
            "Codex",
            "config.toml",
            """
            model = "x"
            [mcp_servers.docs]
            command = "docs"
            args = ["--all"]
            env_vars = ["HOME"]
            tool_timeout_sec = 20
            [mcp_servers.docs.env]
            A = "1"
            [mcp_servers.web]
            url = "https://w.example.com/mcp"
            bearer_token_env_var = "W_TOKEN"
            env_http_headers = { X = "X_VAR" }
            enabled_tools = ["a"]
            [mcp_servers.off]
            command = "off"
            enabled = false
            """,
            List.of(
                "A = \"1\"",
                "HOME = \"${HOME}\"",
                "timeout = \"20s\"",
                "bearer_env = \"W_TOKEN\"",
                "X = \"${X_VAR}\""),
            List.of("'off' is left out")),
        new Form(
            "opencode",
            "opencode.jsonc",
            """
            {
              "mcp": {
                "l": {"type":"local","command":["bun","x","m"],"environment":{"K":"{env:K}"},"enabled":true},
                /* far */ "r": {"type":"remote","url":"https://r.example.com","headers":{"A":"{file:~/.key}"}},
              },
            }
            """,
            List.of("command = \"bun\"", "args = [\"x\", \"m\"]", "K = \"${K}\"", "${FILE_KEY}"),
            List.of("is the environment variable FILE_KEY here")),
        new Form(
            "Goose",
            "config.yaml",
            """
            extensions:
              g:
                type: stdio
                cmd: gg
                args: [a]
                envs: {B: c}
                enabled: true
            """,
            List.of("command = \"gg\"", "B = \"c\""),
            List.of()),
        new Form(
            "servers alone",
            "servers.json",
            "{\"one\":{\"command\":\"one\"},\"two\":{\"url\":\"https://two.example.com\"}}",
            List.of("name = \"one\"", "name = \"two\""),
            List.of()));
  }

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("forms")
  void ofEachProgramBecomeTables(Form form) throws IOException {
    Path file = Files.writeString(folder.resolve(form.file), form.text);
    Path agent = folder.resolve("agent-of-ours.toml");
    Cli run = Cli.run("tool", "import", "-o", agent.toString(), "mcp", file.toString());
    assertThat(run.exit()).as(run.err()).isZero();
    String written = Files.readString(agent);
    assertThat(written).contains(form.has);
    form.says.forEach(sentence -> assertThat(run.err()).contains(sentence));
    assertThat(McpTable.servers(AgentFile.check(agent))).isNotEmpty();
  }

  @Test
  void namesThatBecomeEqualAreMadeUnique() throws IOException {
    Cli run =
        imported(
            """
            {"servers":{"größe":{"command":"a"},"grüße":{"command":"b"},"日本":{"command":"c"},
              "中国":{"command":"d"},"":{"command":"e"},"plain":{"command":"f"}}}
            """);

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(McpTable.servers(AgentFile.check(folder.resolve("ours.toml"))))
        .extracting(McpSettings::name)
        .containsExactly("gr-e", "gr-e-2", "server", "server-2", "server-3", "plain");
    assertThat(run.err())
        .contains("'grüße' is named 'gr-e-2'.", "'中国' is named 'server-2'.")
        .doesNotContain("plain");
  }

  @Test
  void aServerThatNoFileCanHaveIsLeftOutByName() throws IOException {
    Cli run =
        imported(
            """
            {"mcpServers":{
              "both":{"command":"node","url":"https://a.example.com/mcp"},
              "bare":{"args":["x"]}, "text":"npx x", "none":null, "off":{"command":"y","disabled":true},
              "ext":{"source":"extension","settings":{}}, "own":{"type":"builtin","name":"own"},
              "empty":{"command":""}, "ftp":{"url":"ftp://example.com"}, "ok":{"command":"x"}}}
            """);

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(McpTable.servers(AgentFile.check(folder.resolve("ours.toml"))))
        .extracting(McpSettings::name)
        .containsExactly("ok");
    assertThat(run.err())
        .contains(
            "'both' is left out: it has both 'command' and 'url'.",
            "'bare' is left out: it has neither a command nor a URL.",
            "'text' is left out: it is not a table.",
            "'none' is left out: it is not a table.",
            "'off' is left out: it is disabled.",
            "'ext' is left out: it is a part of the program whose file this is.",
            "'own' is left out: it is a part of the program whose file this is.",
            "'empty' is left out: ",
            "'ftp' is left out: ");
  }

  @Test
  void aFileWhoseServersAreAllLeftOutIsAFailure() throws IOException {
    Cli run = imported("{\"mcpServers\":{\"a\":{\"command\":\"x\",\"disabled\":true}}}");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("has no server that can be imported.");
  }

  private Cli imported(String servers) throws IOException {
    Path file = Files.writeString(folder.resolve("servers.json"), servers);
    return Cli.run(
        "tool", "import", "-o", folder.resolve("ours.toml").toString(), "mcp", file.toString());
  }

  @Test
  void whatIsDroppedOfAServerIsTold() throws IOException {
    Cli run =
        imported(
            """
            {"mcp.servers":{
              "z":{"command":"npx","args":"-y some-server","env":["K=v"],"includeTools":"a"},
              "a":{"command":"1"},
              "a":{"command":"2","env":{"LOG_LEVEL":"debug","AUTHOR":"x"}}}}
            """);

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.err())
        .contains(
            "'args' of 'z' is not kept: it must be a list.",
            "'env' of 'z' is not kept: it must be a table.",
            "'includeTools' of 'z' is not kept: it must be a list.",
            "has 'a' twice (line 4): only the last one is read.")
        .doesNotContain("Secrets");
    assertThat(McpTable.servers(AgentFile.check(folder.resolve("ours.toml")))).hasSize(2);
  }

  @Test
  void filesWithoutServersAreOneSentence() throws IOException {
    for (String[] bad :
        new String[][] {
          {"a.json", "{\"mcpServers\":{}}", "names no MCP server"},
          {"b.json", "{", "is not JSON: line 1"},
          {"c.toml", "a = ", "is not TOML"},
          {"d.yaml", "a: [", "is neither JSON nor YAML"},
          {"e.json", "[]", "names no MCP server"},
          {"f.json", "{\"mcpServers\":{\"x\":7}}", "has no MCP server with a command or a URL"}
        }) {
      Path file = Files.writeString(folder.resolve(bad[0]), bad[1]);
      Cli run = Cli.run("tool", "import", "mcp", file.toString());
      assertThat(run.exit()).isNotZero();
      assertThat(run.err()).contains(bad[2]).doesNotContain("--debug");
    }
  }
}
