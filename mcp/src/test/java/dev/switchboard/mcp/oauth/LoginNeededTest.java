package dev.switchboard.mcp.oauth;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.mcp.McpTools;
import dev.switchboard.webhook.GuardedHttp;
import java.net.URI;
import org.junit.jupiter.api.Test;

/// What an agent that nobody can log in for says of a server that asks for a login.
class LoginNeededTest {
  @Test
  void namesTheCommand() {
    try (SimulatedAuthority world = new SimulatedAuthority()) {
      McpTools server =
          McpTools.at("tickets", URI.create(world.server.url("/mcp")))
              .network(
                  GuardedHttp.allowing(world.server.hostAndPort(), world.authority.hostAndPort()))
              .credentials(world.oauth().person(null).build())
              .required();

      assertThatThrownBy(() -> ToolExecutor.builder().tools(server).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("MCP server 'tickets'")
          .hasMessageContaining("it asks for a login; run 'switchboard mcp login ");
    }
  }
}
