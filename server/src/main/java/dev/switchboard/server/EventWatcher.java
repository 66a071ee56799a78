package dev.switchboard.server;

import dev.switchboard.tool.Event;

/// Receives each event of every conversation once it is stored.
interface EventWatcher {
  /// Handles an event, on the thread of the conversation's log: it must not block.
  void handle(ServedAgent agent, String conversation, Event.Logged event);
}
