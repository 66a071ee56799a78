package dev.switchboard.agent;

import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.Message;
import dev.switchboard.model.RequestedCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What a model reads of a transcript: the latest turns, each whole, so that no call stands without
/// its result.
///
/// Written by one thread at a time, read by several.
final class History {
  private final int most;
  private final List<Message> messages = new ArrayList<>(); // guarded by this
  // Read when somebody asks: by then the calls of a reply have been checked, and are not read
  // again.
  private final List<TranscriptEntry> unread = new ArrayList<>(); // guarded by this
  private final Set<String> callIds = new HashSet<>(); // of the messages; guarded by this
  private int turn; // guarded by this

  /// @param most messages, but the last turn in any case
  History(int most) {
    this.most = most;
  }

  /// Goes on with that line.
  synchronized void add(TranscriptEntry line) {
    unread.add(line);
  }

  private synchronized void read() {
    for (TranscriptEntry line : unread) {
      read(line.messages());
    }
    unread.clear();
  }

  private synchronized void read(List<Message> line) {
    if (!line.isEmpty() && line.getFirst() instanceof Message.User) {
      turn = messages.size();
    }
    messages.addAll(line);
    line.forEach(message -> calls(message).forEach(call -> callIds.add(call.id())));
    // A turn that has no room now has none later either, so it can be let go of.
    drop(most - (messages.size() - turn));
  }

  /// Drops the oldest turns until no more than so many messages are left before the last one.
  private synchronized void drop(int room) {
    int from = Math.max(0, turn - Math.max(0, room));
    while (from > 0 && from < turn && !(messages.get(from) instanceof Message.User)) {
      from++;
    }
    List<Message> dropped = messages.subList(0, from);
    dropped.forEach(message -> calls(message).forEach(call -> callIds.remove(call.id())));
    dropped.clear();
    turn -= from;
  }

  private static List<RequestedCall> calls(Message message) {
    return message instanceof Message.Assistant said ? said.calls() : List.of();
  }

  /// Whether the model reads of a call of that id.
  synchronized boolean knowsCall(String id) {
    read();
    return callIds.contains(id);
  }

  /// The messages, in their order.
  synchronized List<Message> messages() {
    read();
    return List.copyOf(messages);
  }

  /// Adds the messages to that list.
  synchronized void copyTo(List<Message> list) {
    read();
    list.addAll(messages);
  }
}
