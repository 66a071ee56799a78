package dev.switchboard.agent;

import dev.switchboard.builtin.MemoryPrompt;
import dev.switchboard.handler.Services;
import dev.switchboard.loop.AgentLoop;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.model.Message;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The memory of an agent as its conversations use it: blocks in the prompt, and what was said put
/// away to be searched.
final class AgentMemory {
  private static final System.Logger LOG = System.getLogger(AgentLoop.class.getName());
  private static final String AWAY =
      "# Memory\nYour memory cannot be read at the moment. Do not guess what may stand there.";

  private final MemoryStore store;
  private final Memory memory;
  private final boolean keepsWords;
  private final Set<String> builtIns;

  /// @param keepsWords whether what was said is put away
  /// @param builtIns the built-in tools of the agent, whose results are not: they would be found
  ///   again within the results of the next search, and so on
  AgentMemory(Services services, boolean keepsWords, Set<String> builtIns) {
    store = services.store();
    memory = services.memory();
    this.keepsWords = keepsWords;
    this.builtIns = Set.copyOf(builtIns);
  }

  MemoryStore store() {
    return store;
  }

  Memory blocks() {
    return memory;
  }

  /// The part of the prompt that holds the blocks; that they cannot be read, where that is so,
  /// since the conversation goes on without them.
  String prompt() {
    List<Memory.View> blocks;
    try {
      blocks = memory.blocks();
    } catch (RuntimeException thrown) {
      LOG.log(Level.WARNING, "memory cannot be read: " + thrown.getClass().getName());
      LOG.log(Level.DEBUG, "memory cannot be read", thrown);
      return AWAY;
    }
    return MemoryPrompt.of(blocks);
  }

  /// Whether what was said is put away.
  boolean keepsWords() {
    return keepsWords;
  }

  /// Puts the words of lines of a transcript away, and returns how many of them are new; those that
  /// are there stay as they are.
  int keep(String conversation, Collection<KeptWords.Line> lines) {
    List<Entry> words = lines.stream().flatMap(line -> words(conversation, line).stream()).toList();
    return words.isEmpty() ? 0 : store.insertAll(words);
  }

  /// Whether a line has words, and all of them are there.
  boolean knows(String conversation, KeptWords.Line line) {
    List<Entry> words = words(conversation, line);
    return !words.isEmpty()
        && store.entry(memory.agent(), Entry.CONVERSATIONS, words.getLast().id()) != null;
  }

  /// The words of a line, as they are put away one after the other.
  private List<Entry> words(String conversation, KeptWords.Line line) {
    List<Entry> words = new ArrayList<>();
    for (int i = 0; i < line.messages().size(); i++) {
      Entry entry = entry(conversation, line.key() + "/" + i, line.messages().get(i), line.at());
      if (entry != null && !entry.text().isBlank()) {
        words.add(entry);
      }
    }
    return words;
  }

  private @Nullable Entry entry(String conversation, String key, Message message, Instant at) {
    return switch (message) {
      case Message.User user -> entry(conversation, key, "user", user.text(), at);
      case Message.Assistant said -> entry(conversation, key, "assistant", said.text(), at);
      case Message.Result result when builtIns.contains(result.tool()) -> null;
      case Message.Result result -> entry(conversation, key, "tool", result.text(), at);
      case Message.System system -> null;
      case Message.Notice notice -> null;
    };
  }

  private Entry entry(String conversation, String key, String role, String text, Instant at) {
    return new Entry(
        memory.agent(),
        Entry.CONVERSATIONS,
        conversation + "/" + key,
        conversation,
        role,
        text,
        List.of(),
        at);
  }
}
