/// The client: tools of MCP servers among an agent's own.
@NullMarked
package dev.switchboard.mcp.client;

import org.jspecify.annotations.NullMarked;
