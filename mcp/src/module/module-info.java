/// The Model Context Protocol: tools of other servers, tools for other clients.
module dev.switchboard.mcp {
  requires transitive dev.switchboard.config;
  requires okio;
  requires jdk.httpserver;

  exports dev.switchboard.mcp;
  exports dev.switchboard.mcp.oauth;
  exports dev.switchboard.mcp.client to
      dev.switchboard.cli;

  // Its records are written and bound by their components.
  opens dev.switchboard.mcp.oauth to
      tools.jackson.databind;

  provides dev.switchboard.config.AgentFile.McpConnector with
      dev.switchboard.mcp.McpConnection;
}
