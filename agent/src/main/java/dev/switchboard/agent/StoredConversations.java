package dev.switchboard.agent;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.host.SeenLeases;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.loop.TranscriptEntryJson;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.model.Message;
import dev.switchboard.process.CallRecords;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Grants;
import dev.switchboard.state.Selection;
import dev.switchboard.text.MemoryOwner;
import dev.switchboard.text.PrincipalName;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The conversations of an agent in its store: lists, shows and deletes them, without a model.
///
/// Thread-safe.
public final class StoredConversations {
  private static final int PAGE = 500;
  private static final int MOST_LINES = Integer.MAX_VALUE;
  private static final Comparator<Summary> LATEST_FIRST =
      Comparator.comparing(Summary::last, Comparator.nullsFirst(Comparator.<Instant>naturalOrder()))
          .reversed()
          .thenComparing(Summary::id);

  private final String agent;
  private final ConversationStore store;
  private final MemoryStore memory;
  private final Memory.Scope scope;
  private final Time time;
  private final List<CallRecords> callRecords;
  private final List<MessageRouter> messages;
  private final SeenLeases seen = new SeenLeases();

  /// The conversations of that agent.
  ///
  /// @param memory where messages are stored for search
  public StoredConversations(String agent, ConversationStore store, MemoryStore memory, Time time) {
    this(agent, store, memory, Memory.Scope.PRINCIPAL, time);
  }

  /// The conversations of that agent.
  ///
  /// @param memory where messages are stored for search
  /// @param scope who shares that memory
  public StoredConversations(
      String agent, ConversationStore store, MemoryStore memory, Memory.Scope scope, Time time) {
    this(agent, store, memory, scope, time, List.of(), List.of());
  }

  private StoredConversations(
      String agent,
      ConversationStore store,
      MemoryStore memory,
      Memory.Scope scope,
      Time time,
      List<CallRecords> callRecords,
      List<MessageRouter> messages) {
    this.agent = agent;
    this.store = store;
    this.memory = memory;
    this.scope = scope;
    this.time = time;
    this.callRecords = callRecords;
    this.messages = messages;
  }

  /// These conversations, with which the records of calls in those folders are deleted.
  public StoredConversations withCallRecords(Collection<Path> folders) {
    List<CallRecords> records = folders.stream().map(CallRecords::new).toList();
    return new StoredConversations(agent, store, memory, scope, time, records, messages);
  }

  /// These conversations, and where messages between agents wait.
  StoredConversations withMessages(List<MessageRouter> routers) {
    return new StoredConversations(agent, store, memory, scope, time, callRecords, routers);
  }

  /// A line of a conversation, and when it was written.
  public record Line(Instant at, TranscriptEntry entry) {}

  /// The stored data of a conversation.
  ///
  /// @param lines in order
  /// @param calls that no line mentions: those of hosts without a model
  public record Stored(List<Line> lines, List<SettledCall> calls) {
    public Stored {
      lines = List.copyOf(lines);
      calls = List.copyOf(calls);
    }
  }

  /// All of them, the latest first.
  public List<Summary> all() {
    return store.directory().conversations().stream().sorted(LATEST_FIRST).toList();
  }

  /// Conversations without activity since that moment, the latest first.
  public List<Summary> before(Instant moment) {
    return all().stream()
        .filter(conversation -> conversation.last() != null && conversation.last().isBefore(moment))
        .toList();
  }

  /// The conversation of that id, or null.
  public @Nullable Summary find(String id) {
    return store.directory().conversation(id);
  }

  /// The stored data of a conversation; empty if there is none of that id.
  ///
  /// @throws IllegalStateException when a line cannot be read
  public Stored show(String id) {
    Map<String, Line> lines = new LinkedHashMap<>();
    for (ConversationStore.Line line : store.lines(id, MOST_LINES)) {
      TranscriptEntry entry = TranscriptEntryJson.read(id, line);
      Instant at = TranscriptEntryJson.at(line.entry());
      if (entry instanceof TranscriptEntry.Corrected by) {
        lines.computeIfPresent(
            by.line(), (key, known) -> new Line(known.at(), corrected(known, by)));
      } else {
        lines.put(line.key(), new Line(at, entry));
      }
    }
    return new Stored(List.copyOf(lines.values()), lines.isEmpty() ? calls(id) : List.of());
  }

  /// The line with its later corrections.
  private static TranscriptEntry corrected(Line known, TranscriptEntry.Corrected by) {
    List<Message> messages = new ArrayList<>(known.entry().messages());
    if (!messages.isEmpty()) {
      messages.set(0, by.of(messages.getFirst()));
    }
    return new TranscriptEntry.Called(messages);
  }

  private List<SettledCall> calls(String id) {
    List<SettledCall> calls = new ArrayList<>();
    int turns = store.state(id).load().value().turn();
    for (int turn = 0; turn <= turns; turn++) {
      calls.addAll(store.settledCalls(id, turn));
    }
    return calls;
  }

  /// Deletes a conversation: its lines, calls and requests for consent, the lasting consents given
  /// in it, its messages in the agent's memory, what `recall` stored in it, and the record of its
  /// phone call; false if there is none of that id.
  ///
  /// Text in blocks and lines of audit logs stay.
  ///
  /// @param force whether it is deleted though a process may be using it, which is then cut off
  /// @throws ConversationConflictException when another process holds it
  /// @throws UncheckedIOException when the record of its call cannot be deleted
  public boolean delete(String id, boolean force) {
    Summary conversation = find(id);
    if (conversation == null) {
      return false;
    }
    if (force) {
      return forget(conversation);
    }
    // A turn that begins meanwhile is refused.
    ToolSession session =
        ToolSession.builder(id)
            .principal(conversation.header().principal())
            .store(store)
            .time(time)
            .build();
    session.host().acquire(seen);
    try {
      return forget(conversation);
    } finally {
      session.host().lease().abandon();
    }
  }

  private boolean forget(Summary conversation) {
    String id = conversation.id();
    String principal = conversation.header().principal();
    String owner = MemoryOwner.of(agent, principal);
    // First the data that is found through the store, so that the deletion can be repeated.
    for (SettledCall settled : calls(id)) {
      forgetRecalled(owner, settled);
    }
    long unused = memory.deleteLabelled(owner, Entry.CONVERSATIONS, id);
    forgetGrants(grants -> grants.without(id));
    if (principal.equals(PrincipalName.ofCall(id))) {
      forgetMessages(principal);
      forgetRest(principal);
    }
    if (PrincipalName.isOfCall(principal, id)) {
      forgetRecord(conversation);
    }
    return store.directory().delete(id);
  }

  private void forgetRecord(Summary call) {
    for (CallRecords records : callRecords) {
      try {
        records.delete(call.id(), call.started());
      } catch (IOException e) {
        throw new UncheckedIOException(
            "the record of call '" + call.id() + "' cannot be deleted from " + records.log(), e);
      }
    }
  }

  /// The ids of a principal's conversations, the latest created first.
  public List<String> of(String principal) {
    List<String> ids = new ArrayList<>();
    Selection next = new Selection(principal, null, PAGE);
    List<Summary> page;
    do {
      page = store.directory().conversations(next);
      for (Summary conversation : page) {
        ids.add(conversation.id());
        next = next.after(conversation.position());
      }
    } while (page.size() == PAGE);
    return ids;
  }

  /// How many conversations a principal had, and how many of them were deleted.
  public record Forgotten(int found, int deleted) {
    /// Whether nothing is left.
    public boolean all() {
      return found == deleted;
    }
  }

  /// Forgets a principal: its messages between agents that wait, so that none begins a conversation
  /// meanwhile; its conversations; and once all of these are deleted, its memory and lasting
  /// consents. Blocks that all principals share and lines of audit logs stay.
  ///
  /// @throws IllegalArgumentException when no principal can have that name
  public Forgotten forget(String principal) {
    return forget(principal, ids -> (int) ids.stream().filter(id -> delete(id, false)).count());
  }

  /// As [#forget(String)], with conversations deleted otherwise, such as after they were closed.
  ///
  /// @param deleting deletes the conversations of these ids, and returns how many it has deleted
  public Forgotten forget(String principal, ToIntFunction<List<String>> deleting) {
    forgetMessages(PrincipalName.checked(principal));
    List<String> ids = of(principal);
    Forgotten forgotten = new Forgotten(ids.size(), deleting.applyAsInt(ids));
    if (forgotten.all()) {
      forgetRest(principal);
    }
    return forgotten;
  }

  private void forgetMessages(String principal) {
    messages.forEach(router -> router.forget(principal));
  }

  private void forgetRest(String principal) {
    Memory.of(memory, agent, time).withScope(scope).forPrincipal(principal).forget();
    forgetGrants(grants -> grants.withoutPrincipal(principal));
  }

  private void forgetGrants(UnaryOperator<Grants> change) {
    boolean unused = AgentState.changeGrants(store.agent(), change);
  }

  private void forgetRecalled(String owner, SettledCall settled) {
    if (settled.call().name().equals("recall") && settled.result().data() != null) {
      String entry = settled.result().data().tree().path("id").asString("");
      // It may have been stored while all shared the memory.
      for (String one : owner.equals(agent) ? List.of(agent) : List.of(owner, agent)) {
        boolean unused = memory.delete(one, Entry.ARCHIVAL, entry);
      }
    }
  }
}
