/// What proves to MCP servers on whose behalf requests are made: fixed tokens, and OAuth.
@NullMarked
package dev.switchboard.mcp.oauth;

import org.jspecify.annotations.NullMarked;
