/// The server: the tools of an agent for clients of others.
@NullMarked
package dev.switchboard.mcp.server;

import org.jspecify.annotations.NullMarked;
