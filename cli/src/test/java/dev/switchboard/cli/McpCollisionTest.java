package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two MCP servers with a tool of one name, in every command that starts them.
class McpCollisionTest {
  private static final String SERVER =
      """
      while read -r line; do
        id=$(printf '%s' "$line" | sed -n 's/.*"id":\\("[^"]*"\\|[0-9]*\\).*/\\1/p')
        case "$line" in
          *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}\\n' "$id" ;;
          *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"get_order","inputSchema":{"type":"object"}}]}}\\n' "$id" ;;
          *'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}\\n' "$id" ;;
        esac
      done
      """;

  private static final String AGENT =
      """
      [agent]
      name = "D"
      model = "scripted.jsonl"
      [[agent.mcp]]
      name = "orders"
      command = "sh"
      args = ["server.sh"]
      prefix = false
      [[agent.mcp]]
      name = "orders2"
      command = "sh"
      args = ["server.sh"]
      prefix = false
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {"tool list", "tool schema", "tool export", "exec", "tool call", "mcp list", "mcp"})
  void isOneSentence(String command) throws IOException {
    Files.writeString(folder.resolve("server.sh"), SERVER);
    String toml = AGENT.replace("model = \"scripted.jsonl\"\n", "");
    Path agent = Files.writeString(folder.resolve("agent.toml"), toml);
    String line =
        switch (command) {
          case "tool call" -> command + " " + agent + " get_order {}";
          case "tool export" -> command + " " + agent + " --format mcp";
          default -> command + " " + agent;
        };
    Cli run = Cli.run(line.split(" "));
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err())
        .containsPattern(
            "switchboard: MCP server 'orders2?': tool 'get_order' is defined twice: leave out"
                + " 'prefix = false', or exclude it.")
        .doesNotContain("Unexpected", "Exception");
  }
}
