/// The client: servers of others, their tools among an agent's own.
@NullMarked
package dev.switchboard.mcp.client;

import org.jspecify.annotations.NullMarked;
