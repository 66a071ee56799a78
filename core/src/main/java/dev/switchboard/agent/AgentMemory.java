package dev.switchboard.agent;

import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryPrompt;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.model.Message;
import dev.switchboard.time.Time;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The memory of an agent as its conversations use it: blocks in the prompt, and what was said put
/// away to be searched.
final class AgentMemory {
  private final MemoryStore store;
  private final Memory memory;

  AgentMemory(MemoryStore store, String agent, Time time) {
    this.store = store;
    memory = Memory.of(store, agent, time);
  }

  Memory blocks() {
    return memory;
  }

  /// The part of the prompt that holds the blocks.
  String prompt() {
    return MemoryPrompt.of(memory.blocks());
  }

  /// Puts the words of a line of a transcript away; those that are there stay as they are.
  void keep(String conversation, KeptWords.Line line) {
    for (Entry entry : words(conversation, line)) {
      boolean unused = store.insert(entry);
    }
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
      case Message.User(String text) -> entry(conversation, key, "user", text, at);
      case Message.Assistant said -> entry(conversation, key, "assistant", said.text(), at);
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
