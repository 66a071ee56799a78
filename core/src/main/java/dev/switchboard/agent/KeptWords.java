package dev.switchboard.agent;

import dev.switchboard.model.Message;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/// The putting away of a conversation's words to be searched, line by line in their order: where
/// the words of a line are there, so are those of all lines before it, whatever died or failed
/// between.
///
/// Not safe for use by several threads: a conversation has one writer at a time.
final class KeptWords {
  private static final System.Logger LOG = System.getLogger(AgentLoop.class.getName());

  private final AgentMemory memory;
  private final String conversation;
  private final int most;
  private final Deque<Line> left = new ArrayDeque<>();
  private boolean sought;

  /// A line that may have words.
  record Line(String key, List<Message> messages, Instant at) {}

  /// @param most lines that wait where the memory is away; the oldest are let go of
  KeptWords(AgentMemory memory, String conversation, int most) {
    this.memory = memory;
    this.conversation = conversation;
    this.most = most;
  }

  /// Goes on with the next line, which may have been put away before.
  void add(Line line) {
    if (left.size() >= most) {
      left.removeFirst();
    }
    left.addLast(line);
  }

  /// Puts away what is left, as far as the memory can be reached.
  void catchUp() {
    try {
      if (!sought) {
        forgetKnown();
        sought = true;
      }
      memory.keep(conversation, left);
      left.clear();
    } catch (RuntimeException thrown) {
      // The conversation goes on: it stands in its own store.
      LOG.log(Level.WARNING, "words were not put away: " + thrown.getClass().getName());
      LOG.log(Level.DEBUG, "words were not put away", thrown);
    }
  }

  /// Forgets the latest line whose words are there, and all before it.
  private void forgetKnown() {
    int known = left.size();
    Iterator<Line> latestFirst = left.descendingIterator();
    while (latestFirst.hasNext() && !memory.knows(conversation, latestFirst.next())) {
      known--;
    }
    for (int i = 0; i < known; i++) {
      left.removeFirst();
    }
  }
}
