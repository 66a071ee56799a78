/// The Model Context Protocol: tools of MCP servers for agents, and an agent's tools for MCP
/// clients.
@NullMarked
package dev.switchboard.mcp;

import org.jspecify.annotations.NullMarked;
