package dev.switchboard.agent;

import dev.switchboard.builtin.MemoryPrompt;
import dev.switchboard.handler.Services;
import dev.switchboard.loop.AgentLoop;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.model.Message;
import dev.switchboard.text.MemoryOwner;
import dev.switchboard.text.RateLimitedLog;
import dev.switchboard.time.Time;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The memory of an agent as the conversations of a principal use it: blocks in the prompt, and
/// stored messages to be searched.
final class AgentMemory {
  private static final System.Logger LOG = System.getLogger(AgentLoop.class.getName());

  private final MemoryStore store;
  private final Memory memory;
  private static final Set<String> READERS = Set.of("block", "recall", "search");

  private final boolean storesMessages;
  private final Set<String> builtIns;
  private final Beginning beginning;

  /// What the agent's blocks begin with, stored once for principals.
  ///
  /// @param forAll the labels of blocks that all principals share
  /// @param stored whether it is
  /// @param warnings about the memory, which its principals share
  record Beginning(
      List<Block> blocks, Set<String> forAll, AtomicBoolean stored, RateLimitedLog warnings) {
    Beginning(List<Block> blocks, Set<String> forAll, Time time) {
      this(
          List.copyOf(blocks),
          Set.copyOf(forAll),
          new AtomicBoolean(),
          new RateLimitedLog(time::nanos));
    }
  }

  /// @param keepsWords whether messages are stored
  /// @param builtIns the built-in tools of the agent, whose results are not stored: the next search
  ///   would find them, and so on
  AgentMemory(Services services, boolean keepsWords, Set<String> builtIns, Beginning beginning) {
    this(services.store(), services.memory(), keepsWords, Set.copyOf(builtIns), beginning);
  }

  private AgentMemory(
      MemoryStore store,
      Memory memory,
      boolean keepsWords,
      Set<String> builtIns,
      Beginning beginning) {
    this.store = store;
    this.memory = memory;
    this.storesMessages = keepsWords;
    this.builtIns = builtIns;
    this.beginning = beginning;
  }

  /// This memory for the conversations of that principal.
  AgentMemory of(String principal) {
    AgentMemory theirs =
        new AgentMemory(store, memory.forPrincipal(principal), storesMessages, builtIns, beginning);
    try {
      theirs.begin();
    } catch (RuntimeException thrown) {
      theirs.warn(LOG, "memory cannot be stored", thrown);
    }
    return theirs;
  }

  /// Prepares this memory for other principals than the user of this machine, and returns what its
  /// host's owner should know, sentences.
  List<String> forPrincipals() {
    List<String> sentences = new ArrayList<>();
    String agent = memory.agent();
    if (memory.scope() == Memory.Scope.AGENT) {
      sentences.add(
          "All principals share the memory of agent '%s': memory_scope is \"agent\"."
              .formatted(agent));
    } else if (!beginning.forAll.isEmpty()) {
      sentences.add(
          "All principals share these memory blocks of agent '%s': %s."
              .formatted(agent, String.join(", ", new TreeSet<>(beginning.forAll))));
    }
    // Also if all share them: other agents that share a block find it by what it begins with.
    storeBeginning();
    if (memory.scope() == Memory.Scope.PRINCIPAL && reads() && hasMemoryBefore() && isToldFirst()) {
      sentences.add(
          ("Memory of agent '%s' that was stored before belongs to 'local', so clients do not see"
               + " it: share it by memory_scope = \"agent\", or give it to one of them by `memory"
               + " export` and `memory import --principal NAME`.")
              .formatted(agent));
    }
    return sentences;
  }

  /// Whether the agent reads what is remembered.
  private boolean reads() {
    return !beginning.blocks.isEmpty() || builtIns.stream().anyMatch(READERS::contains);
  }

  /// Whether the user of this machine has memory beside what the agent's file says.
  private boolean hasMemoryBefore() {
    String owner = memory.agent();
    Set<String> begun = new HashSet<>();
    beginning.blocks.forEach(block -> begun.add(block.label()));
    return store.blocks(owner).stream()
            .anyMatch(block -> block.edits() > 0 || !begun.contains(block.label()))
        || !store
            .search(MemoryQuery.of(owner, "", Entry.ARCHIVAL, Entry.CONVERSATIONS).withLimit(1))
            .hits()
            .isEmpty();
  }

  /// Records in the store that its owner was notified of it; false if that was recorded before.
  private boolean isToldFirst() {
    String id = "memory of local";
    return store.insert(
        new Entry(
            MemoryOwner.templates(memory.agent()),
            "notices",
            id,
            id,
            null,
            id,
            List.of(),
            Instant.EPOCH));
  }

  /// Stores what the agent's blocks begin with, where a principal other than the user of this
  /// machine needs it.
  private void begin() {
    if (!memory.owner().equals(memory.agent())) {
      storeBeginning();
    }
  }

  private void storeBeginning() {
    if (!beginning.stored.get()) {
      Memory.beginForPrincipals(store, memory.agent(), beginning.blocks, beginning.forAll);
      beginning.stored.set(true);
    }
  }

  MemoryStore store() {
    return store;
  }

  /// The memory of that principal, as a person uses it.
  Memory inHandsOf(String person, String principal, Time time) {
    Memory theirs = of(principal).memory;
    return Memory.inHandsOf(person, store, memory.agent(), time)
        .withScope(theirs.scope())
        .forPrincipal(principal);
  }

  Memory blocks() {
    return memory;
  }

  /// The part of the prompt with the blocks, or a sentence that they cannot be read, since the
  /// conversation continues without them.
  MemoryPrompt prompt() {
    List<Memory.View> blocks;
    try {
      begin();
      blocks = memory.blocks();
    } catch (RuntimeException thrown) {
      warn(LOG, "memory cannot be read", thrown);
      return MemoryPrompt.AWAY;
    }
    return MemoryPrompt.of(blocks);
  }

  /// Logs that the memory has failed, once a minute for all conversations.
  void warn(System.Logger log, String what, Throwable thrown) {
    beginning.warnings.warn(log, what, thrown);
  }

  /// Whether the agent has the built-in tool of that name.
  boolean hasBuiltIn(String name) {
    return builtIns.contains(name);
  }

  /// Whether messages are stored.
  boolean storesMessages() {
    return storesMessages;
  }

  /// Stores the messages of transcript lines, and returns how many of them are new; existing ones
  /// are not changed.
  int storeMessages(String conversation, Collection<SearchIndexer.Line> lines) {
    List<Entry> words = lines.stream().flatMap(line -> words(conversation, line).stream()).toList();
    return words.isEmpty() ? 0 : store.insertAll(words);
  }

  /// Whether a line has messages, and all of them are stored.
  boolean isStored(String conversation, SearchIndexer.Line line) {
    List<Entry> words = words(conversation, line);
    return !words.isEmpty()
        && store.entry(memory.ownerOfWords(), Entry.CONVERSATIONS, words.getLast().id()) != null;
  }

  /// The messages of a line, in the order in which they are stored.
  private List<Entry> words(String conversation, SearchIndexer.Line line) {
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
        memory.ownerOfWords(),
        Entry.CONVERSATIONS,
        conversation + "/" + key,
        conversation,
        role,
        text,
        List.of(),
        at);
  }
}
