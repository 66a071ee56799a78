/// Agents over HTTP: conversations as event streams, approvals, tools and memory.
@NullMarked
package dev.switchboard.server;

import org.jspecify.annotations.NullMarked;
