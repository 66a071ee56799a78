package dev.switchboard.agent;

import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationQueue.Claim;
import dev.switchboard.execution.ConversationQueue.Kept;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The store of a conversation that this process has claimed. No other process continues it, so
/// what was read is not read again; if one does, nothing that this process writes is stored.
///
/// Thread-safe.
final class ClaimedStore implements ConversationStore {
  private final ConversationStore store;
  private final String conversation;
  private final String principal;
  private final int turn;
  private final Kept kept;
  // Whether a call was written here; not if the store has said that it has none of that id.
  private final Map<String, Boolean> written = new ConcurrentHashMap<>();
  private volatile Cell.@Nullable Version<ConversationState> claimed; // until something is written
  private volatile @Nullable Instant due;

  /// @param store of the conversation, which several processes share
  ClaimedStore(Claim claim, ConversationStore store, ConversationQueue queue) {
    this.store = store;
    conversation = claim.conversation();
    principal = claim.principal();
    claimed = claim.state();
    turn = claim.state().value().turn();
    Kept read = claim.kept();
    kept = read == null ? queue.kept(conversation, turn, Transcript.MOST_LINES) : read;
  }

  /// The inputs that waited when it was claimed.
  List<Line> inputs() {
    return kept.inputs();
  }

  /// When the conversation has to be looked at again, by what was last written here; null for
  /// never.
  @Nullable Instant due() {
    return due;
  }

  private boolean isMine(String id) {
    return conversation.equals(id);
  }

  /// The state at the claim, until it is to be changed: a person's answer may have arrived in
  /// between.
  @Override
  public void failed(System.Logger log, String what, Throwable thrown) {
    store.failed(log, what, thrown);
  }

  @Override
  public Cell<ConversationState> state(String id) {
    Cell<ConversationState> cell = store.state(id);
    return isMine(id) ? new Claimed(cell) : cell;
  }

  @Override
  public Loaded load(String id) {
    Cell.Version<ConversationState> known = claimed;
    return isMine(id) && known != null ? new Loaded(known, principal) : store.load(id);
  }

  private final class Claimed implements Cell<ConversationState> {
    private final Cell<ConversationState> cell;

    Claimed(Cell<ConversationState> cell) {
      this.cell = cell;
    }

    @Override
    public Version<ConversationState> load() {
      Version<ConversationState> known = claimed;
      return known == null ? cell.load() : known;
    }

    @Override
    public boolean replace(Version<ConversationState> expected, ConversationState next) {
      claimed = null;
      due = next.due();
      return cell.replace(expected, next);
    }
  }

  @Override
  public Written write(String id, long fence, Writing writing) {
    claimed = null;
    Replacement state = writing.state();
    if (state != null) {
      due = state.next().due();
    }
    writing.calls().forEach(settled -> written.put(settled.call().call().id(), true));
    return store.write(id, fence, writing);
  }

  @Override
  public @Nullable SettledCall settledCall(String id, String call) {
    if (!isMine(id)) {
      return store.settledCall(id, call);
    }
    for (SettledCall known : kept.calls()) {
      if (known.call().id().equals(call)) {
        return known;
      }
    }
    if (Boolean.FALSE.equals(written.get(call))) {
      return null;
    }
    SettledCall settled = store.settledCall(id, call);
    if (settled == null) {
      Boolean unused = written.putIfAbsent(call, false);
    }
    return settled;
  }

  @Override
  public List<SettledCall> settledCalls(String id, int inTurn) {
    boolean known = isMine(id) && inTurn == turn && claimed != null;
    return known ? kept.calls() : store.settledCalls(id, inTurn);
  }

  @Override
  public List<Line> lines(String id, int most) {
    boolean known = isMine(id) && most == Transcript.MOST_LINES && claimed != null;
    return known ? kept.lines() : store.lines(id, most);
  }

  @Override
  public Cell<AgentState> agent() {
    return store.agent();
  }

  @Override
  public List<Event.Logged> events(String id, long after, int most) {
    return store.events(id, after, most);
  }

  @Override
  public Event.@Nullable Logged event(String id, String key) {
    return store.event(id, key);
  }

  @Override
  public boolean gathers() {
    return store.gathers();
  }

  @Override
  public void writeGathered(String id) {
    store.writeGathered(id);
  }

  @Override
  public <T extends @Nullable Object> T within(Duration patience, Supplier<T> work) {
    return store.within(patience, work);
  }
}
