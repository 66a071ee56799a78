package dev.switchboard.agent;

import dev.switchboard.loop.AgentLoop;
import dev.switchboard.model.Message;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/// The putting away of a conversation's words to be searched, line by line in their order: where
/// the words of a line are there, so are those of all lines before it, whatever died or failed
/// between. A line that the memory does not take is let go of where it takes a later one.
///
/// Not safe for use by several threads: a conversation has one writer at a time.
final class KeptWords {
  private static final System.Logger LOG = System.getLogger(AgentLoop.class.getName());

  private static final int MOST_REFUSED = 4;

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
      keepAll();
    } catch (RuntimeException thrown) {
      // The conversation goes on: it stands in its own store.
      warn("words were not put away", thrown);
    }
  }

  private static void warn(String what, RuntimeException thrown) {
    LOG.log(Level.WARNING, what + ": " + thrown.getClass().getName());
    LOG.log(Level.DEBUG, what, thrown);
  }

  private void keepAll() {
    try {
      int unused = memory.keep(conversation, left);
      left.clear();
    } catch (RuntimeException thrown) {
      warn("words were not put away together", thrown);
      // Throws where the memory is away.
      boolean unused = memory.knows(conversation, left.getFirst());
      oneByOne();
    }
  }

  /// Puts away one line after the other, until it looks as if the memory took none at all.
  private void oneByOne() {
    Deque<Line> refused = new ArrayDeque<>();
    while (!left.isEmpty() && refused.size() < MOST_REFUSED) {
      Line line = left.removeFirst();
      try {
        if (memory.keep(conversation, List.of(line)) > 0) {
          letGo(refused);
        }
      } catch (RuntimeException thrown) {
        refused.addLast(line);
      }
    }
    refused.reversed().forEach(left::addFirst);
  }

  /// Lets go of lines that the memory did not take before it took another, but tries each once
  /// more: it may have come back in between.
  private void letGo(Deque<Line> refused) {
    while (!refused.isEmpty()) {
      try {
        int unused = memory.keep(conversation, List.of(refused.removeFirst()));
      } catch (RuntimeException thrown) {
        warn("words are not put away, the memory does not take them", thrown);
      }
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
