/// The Model Context Protocol: tools of other servers, tools for other clients.
module dev.switchboard.mcp {
  requires transitive dev.switchboard.agent;
  requires okio;
  requires jdk.httpserver;

  // Only to read agents' files.
  requires static dev.switchboard.config;

  exports dev.switchboard.mcp;
  exports dev.switchboard.mcp.oauth;
  exports dev.switchboard.mcp.client to
      dev.switchboard.cli;

  // Its records are written and bound by their components.
  opens dev.switchboard.mcp to
      dev.switchboard.config;
  opens dev.switchboard.mcp.oauth to
      tools.jackson.databind;

  // The servers of agents' files.
  provides dev.switchboard.config.FileTable with
      dev.switchboard.mcp.McpTable;
}
