package dev.switchboard.agent;

import dev.switchboard.loop.AgentLoop;
import dev.switchboard.model.Message;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/// Stores a conversation's messages for search, line by line in their order: if the messages of a
/// line are stored, so are those of all earlier lines, even after a crash or a failure. A line that
/// the memory rejects is dropped if it accepts a later one.
///
/// Not thread-safe: a conversation has one writer at a time.
final class SearchIndexer {
  private static final System.Logger LOG = System.getLogger(AgentLoop.class.getName());

  private static final int MOST_REFUSED = 4;

  private final AgentMemory memory;
  private final String conversation;
  private final int most;
  private final Deque<Line> left = new ArrayDeque<>();
  private boolean sought;

  /// A line that may have messages.
  record Line(String key, List<Message> messages, Instant at) {}

  /// @param most lines that wait while the memory is unavailable; the oldest are dropped
  SearchIndexer(AgentMemory memory, String conversation, int most) {
    this.memory = memory;
    this.conversation = conversation;
    this.most = most;
  }

  /// Adds the next line, which may have been stored before.
  void add(Line line) {
    if (left.size() >= most) {
      left.removeFirst();
    }
    left.addLast(line);
  }

  /// Stores what is left, as far as the memory can be reached.
  void catchUp() {
    try {
      if (!sought) {
        dropStored();
        sought = true;
      }
      storeAll();
    } catch (RuntimeException thrown) {
      // The conversation continues: it has its own store.
      memory.warn(LOG, "messages were not stored for search", thrown);
    }
  }

  private void storeAll() {
    try {
      int unused = memory.storeMessages(conversation, left);
      left.clear();
    } catch (RuntimeException thrown) {
      memory.warn(LOG, "messages were not stored together for search", thrown);
      // Throws if the memory is unavailable.
      boolean unused = memory.isStored(conversation, left.getFirst());
      oneByOne();
    }
  }

  /// Stores one line after the other, until the memory seems to be unavailable.
  private void oneByOne() {
    Deque<Line> refused = new ArrayDeque<>();
    while (!left.isEmpty() && refused.size() < MOST_REFUSED) {
      Line line = left.removeFirst();
      try {
        if (memory.storeMessages(conversation, List.of(line)) > 0) {
          retryOnce(refused);
        }
      } catch (RuntimeException thrown) {
        refused.addLast(line);
      }
    }
    refused.reversed().forEach(left::addFirst);
  }

  /// Drops lines that the memory rejected before it accepted another, after one more try of each:
  /// it may have recovered in between.
  private void retryOnce(Deque<Line> refused) {
    while (!refused.isEmpty()) {
      try {
        int unused = memory.storeMessages(conversation, List.of(refused.removeFirst()));
      } catch (RuntimeException thrown) {
        memory.warn(LOG, "messages are not stored for search: the memory rejects them", thrown);
      }
    }
  }

  /// Forgets the latest line whose messages are stored, and all before it.
  private void dropStored() {
    int stored = left.size();
    Iterator<Line> latestFirst = left.descendingIterator();
    while (latestFirst.hasNext() && !memory.isStored(conversation, latestFirst.next())) {
      stored--;
    }
    for (int i = 0; i < stored; i++) {
      left.removeFirst();
    }
  }
}
