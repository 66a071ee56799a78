/// Messages of JSON-RPC 2.0 as the Model Context Protocol uses them.
@NullMarked
package dev.switchboard.mcp.rpc;

import org.jspecify.annotations.NullMarked;
