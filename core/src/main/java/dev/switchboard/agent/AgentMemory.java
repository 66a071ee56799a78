package dev.switchboard.agent;

import dev.switchboard.handler.Services;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryPrompt;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.model.Message;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.List;

/// The memory of an agent as its conversations use it: blocks in the prompt, and what was said put
/// away to be searched.
final class AgentMemory {
  private static final System.Logger LOG = System.getLogger(AgentLoop.class.getName());

  private final MemoryStore store;
  private final Memory memory;
  private final boolean keepsWords;

  /// @param keepsWords whether what was said is put away
  AgentMemory(Services services, boolean keepsWords) {
    store = services.store();
    memory = services.memory();
    this.keepsWords = keepsWords;
  }

  Memory blocks() {
    return memory;
  }

  /// The part of the prompt that holds the blocks.
  String prompt() {
    return MemoryPrompt.of(memory.blocks());
  }

  /// Puts the words of a line of a transcript away; those that are there stay as they are.
  void keep(String conversation, String key, List<Message> messages, Instant at) {
    if (!keepsWords) {
      return;
    }
    try {
      for (int i = 0; i < messages.size(); i++) {
        keep(conversation, key + "/" + i, messages.get(i), at);
      }
    } catch (RuntimeException thrown) {
      // The conversation goes on: it stands in its own store.
      LOG.log(Level.WARNING, "words were not put away: " + thrown.getClass().getName());
      LOG.log(Level.DEBUG, "words were not put away", thrown);
    }
  }

  private void keep(String conversation, String key, Message message, Instant at) {
    switch (message) {
      case Message.User(String text) -> keep(conversation, key, "user", text, at);
      case Message.Assistant said -> keep(conversation, key, "assistant", said.text(), at);
      case Message.Result result -> keep(conversation, key, "tool", result.text(), at);
      case Message.System system -> {}
      case Message.Notice notice -> {}
    }
  }

  private void keep(String conversation, String key, String role, String text, Instant at) {
    if (!text.isBlank()) {
      boolean unused =
          store.insert(
              new Entry(
                  memory.agent(),
                  Entry.CONVERSATIONS,
                  conversation + "/" + key,
                  conversation,
                  role,
                  text,
                  List.of(),
                  at));
    }
  }
}
