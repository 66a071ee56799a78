/// The server: an agent's tools for MCP clients.
@NullMarked
package dev.switchboard.mcp.server;

import org.jspecify.annotations.NullMarked;
