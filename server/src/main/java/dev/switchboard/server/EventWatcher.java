package dev.switchboard.server;

import dev.switchboard.tool.Event;

/// Somebody in the server who is told each event of every conversation once it is stored.
interface EventWatcher {
  /// Takes an event, on the thread of the conversation's log: it does not wait for anything.
  void told(ServedAgent agent, String conversation, Event.Logged event);
}
