package dev.switchboard.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.AgentFolder;
import dev.switchboard.mcp.client.McpSettings;
import dev.switchboard.mcp.client.McpSettings.McpWay;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The MCP servers of an agent's file, and what may be wrong with them.
class McpOfAFileTest {
  private static final String AGENT = "[agent]\nname = \"x\"\n";

  @TempDir private Path folder;

  private AgentFolder folder() {
    return new AgentFolder(folder, Map.of("TOKEN", "t0ken"));
  }

  private List<String> faults(String server) {
    return folder().faults(AGENT + "[[agent.mcp]]\n" + server);
  }

  private McpSettings server(String table) {
    return McpTable.servers(folder().read(AGENT + "[[agent.mcp]]\n" + table)).getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "name = \"a\"; comand = \"x\"; command = \"y\" | 5:1: error: unknown key 'comand' in"
            + " agent.mcp[0]; did you mean 'command'?",
        "name = \"a\"; command = \"x\"; url = \"https://e.example\" | 3:1: error: agent.mcp[0] has"
            + " both 'command' and 'url'",
        "name = \"a\" | 3:1: error: agent.mcp[0] needs 'command', a program to start, or 'url',"
            + " where the server is",
        "command = \"x\" | 3:1: error: agent.mcp[0] needs 'name'",
        "name = \"a b\"; command = \"x\" | 4:1: error: agent.mcp[0].name must be 1 to 32 letters,"
            + " digits, '_' and '-', not 'a b'",
        "name = \"_a\"; command = \"x\" | 4:1: error: agent.mcp[0].name must be 1 to 32 letters,"
            + " digits, '_' and '-', not '_a'",
        "name = \"a\"; command = \"x y\" | 5:1: error: agent.mcp[0].command is the program alone;"
            + " what follows it stands in 'args'",
        "name = \"a\"; command = \"x\"; cwd = \"nowhere\" | 6:1: error: agent.mcp[0].cwd is not a"
            + " folder",
        "name = \"a\"; command = \"x\"; env = [\"UNSET\"] | 6:8: error: agent.mcp[0].env[0] names"
            + " the environment variable 'UNSET', which is not set",
        "name = \"a\"; command = \"x\"; bearer_env = \"TOKEN\" | 6:1: error:"
            + " agent.mcp[0].bearer_env is for a server with a 'url'",
        "name = \"a\"; url = \"https://e.example\"; args = [\"x\"] | 6:1: error: agent.mcp[0].args"
            + " is for a server with a 'command'",
        "name = \"a\"; url = \"http://127.0.0.1:9/mcp\" | 5:1: error: agent.mcp[0].url is blocked:"
            + " 127.0.0.1 is loopback (127.0.0.0/8); if you trust this service, write allow ="
            + " [\"127.0.0.1:9\"] below [network]",
        "name = \"a\"; url = \"https://e.example\"; bearer_env = \"UNSET\" | 6:1: error:"
            + " agent.mcp[0].bearer_env names the environment variable 'UNSET', which is not set",
        "name = \"a\"; url = \"https://e.example\"; headers = { X = \"${UNSET}\" } | 6:13: error:"
            + " agent.mcp[0].headers.X names the environment variable 'UNSET', which is not set",
        "name = \"a\"; url = \"https://e.example\"; headers = { Host = \"x\" } | 6:13: error:"
            + " agent.mcp[0].headers.Host cannot be sent: header 'Host' is made by the client",
        "name = \"a\"; url = \"http://e.example\"; bearer_env = \"TOKEN\" | 5:1: error:"
            + " agent.mcp[0].url is plain http, over which no login is sent: use https, or allow"
            + " the service in network.allow",
        "name = \"a\"; url = \"HTTP://e.example\"; oauth = true | 5:1: error: agent.mcp[0].url is"
            + " plain http, over which no login is sent: use https, or allow the service in"
            + " network.allow",
        "name = \"a\"; url = \"http://e.example\"; headers = { authorization = \"x\" } | 5:1:"
            + " error: agent.mcp[0].url is plain http, over which no login is sent: use https, or"
            + " allow the service in network.allow",
        "name = \"a\"; command = \"x\"; tools = { t = { description = \"d\" } } | 6:17: error:"
            + " agent.mcp[0].tools.t.description is for a tool that is defined in [[tools]]",
        "name = \"a\"; command = \"x\"; tools = { t = { wasm = { file = \"x\" } } } | 6:17: error:"
            + " agent.mcp[0].tools.t.wasm is for a tool that is defined in [[tools]]",
        "name = \"a\"; command = \"x\"; tools = { t = { mod = \"read\" } } | 6:17: error: unknown"
            + " key 'mod' in agent.mcp[0].tools.t; did you mean 'mode'?",
        "name = \"a\"; command = \"x\"; timeout = \"soon\" | 6:1: error: agent.mcp[0].timeout must"
            + " be a duration such as \"500ms\", \"30s\", \"5m\" or a number of seconds, not"
            + " \"soon\"",
        "name = \"a\"; command = \"x\"; response_limit = 0 | 6:1: error:"
            + " agent.mcp[0].response_limit must be at least 1, not 0",
        "name = \"a\"; url = \"https://e.example\"; oauth = { grant = \"client_credentials\" } |"
            + " 6:1: error: agent.mcp[0].oauth needs 'client_id', and 'client_secret_env' or"
            + " 'private_key_env', for client_credentials",
        "name = \"a\"; url = \"https://e.example\"; oauth = { clientid = \"x\" } | 6:11: error:"
            + " unknown key 'clientid' in agent.mcp[0].oauth; did you mean 'client_id'?",
        "name = \"a\"; url = \"https://e.example\"; oauth = { client_metadata_url ="
            + " \"http://x.example\" } | 6:11: error: agent.mcp[0].oauth.client_metadata_url must"
            + " be an https URL",
      })
  void faultsOfAServer(String table, String fault) {
    assertThat(faults(table.replace("; ", "\n"))).containsExactly("agent.toml:" + fault);
  }

  @Test
  void namesAreDistinct() {
    assertThat(
            faults("name = \"a\"\ncommand = \"x\"\n[[agent.mcp]]\nname = \"a\"\ncommand = \"y\"\n"))
        .containsExactly("agent.toml:7:1: error: agent.mcp[1].name is that of another MCP server");
  }

  @Test
  void aLoginGoesOverHttpToAServiceThatIsAllowed() {
    String toml =
        AGENT
            + "[[agent.mcp]]\nname = \"a\"\nurl = \"http://127.0.0.1:9/mcp\"\nbearer_env ="
            + " \"TOKEN\"\n[network]\nallow = [\"127.0.0.1:9\"]\n";
    assertThat(folder().faults(toml)).isEmpty();
    McpWay.Web web = (McpWay.Web) McpTable.servers(folder().read(toml)).getFirst().reached();
    assertThat(web.headers()).containsEntry("Authorization", "Bearer t0ken");
  }

  @Test
  void whatIsNotStatedIsAsUsual() {
    McpSettings server = server("name = \"a\"\ncommand = \"x\"\n");
    assertThat(server.prefix()).isTrue();
    assertThat(server.timeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(server.responseLimit()).isEqualTo(8L << 20);
    assertThat(server.required()).isFalse();
    assertThat(server.trust()).isFalse();
    assertThat(server.lock()).isNull();
    assertThat(server.sampling()).isNull();
  }

  @Test
  void aPinIsBesideTheFile() {
    assertThat(server("name = \"a\"\ncommand = \"x\"\npin = true\n").lock())
        .isEqualTo(folder.resolve("agent.mcp.lock"));
  }

  @Test
  void rulesMayNameToolsOfServers() {
    String rules =
        """
        [[agent.tool_rules]]
        tool_name = "a__send"
        rule_type = { RequiresPreceding = ["a__login"] }
        """;
    String tools = rules + AgentFolder.GOOD_TOOL;
    assertThat(faults("name = \"a\"\ncommand = \"x\"\n" + tools))
        .contains(
            "agent.toml:7:1: warning: agent.tool_rules[0] is for 'a__send', which only an MCP"
                + " server can have; it is checked when the server is reached")
        .allMatch(fault -> fault.contains(": warning: "));
    assertThat(faults("name = \"b\"\ncommand = \"x\"\n" + tools))
        .contains(
            "agent.toml:7:1: warning: RequiresPreceding is for 'a__send', but no tool has that"
                + " name");
  }

  @Test
  void theToolsOfACallAreNotThoseOfAServer() {
    String toml =
        """
        [[agent.tool_rules]]
        tool_name = "end_call"
        rule_type = { RequiresPreceding = ["good"] }
        """
            + AgentFolder.GOOD_TOOL;

    assertThat(faults("name = \"m\"\ncommand = \"m\"\nprefix = false\n" + toml)).isEmpty();
  }

  @Test
  void theListOfToolsMayNameThoseOfServers() {
    String toml =
        "[agent]\nname = \"x\"\ntools = [\"good\", \"a__send\"]\n[[agent.mcp]]\nname = \"a\"\n"
            + "command = \"x\"\n"
            + AgentFolder.GOOD_TOOL;
    AgentFile read = folder().read(toml);
    assertThat(read.tools()).hasSize(1);
    assertThat(McpTable.servers(read)).hasSize(1);
  }
}
