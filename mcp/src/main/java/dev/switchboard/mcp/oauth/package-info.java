/// Credentials for MCP servers: fixed tokens, and OAuth.
@NullMarked
package dev.switchboard.mcp.oauth;

import org.jspecify.annotations.NullMarked;
