/// The Model Context Protocol: the tools of other servers for agents, the tools of agents for other
/// clients.
@NullMarked
package dev.switchboard.mcp;

import org.jspecify.annotations.NullMarked;
