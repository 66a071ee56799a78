/// Agents over HTTP: their conversations as streams of events, approvals, tools and memory.
@NullMarked
package dev.switchboard.server;

import org.jspecify.annotations.NullMarked;
