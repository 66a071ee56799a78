package dev.switchboard.execution;

import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.json.Json;
import dev.switchboard.state.ConversationState;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The log of a conversation's latest calls and their results, by id, so that a call delivered
/// twice runs once. It also counts how often each has succeeded in this turn with the same text.
///
/// Bounded by number and by size: the earlier half is forgotten as a whole; the latest call and
/// those without a result stay. The store has the results of forgotten calls; without a store,
/// their ids still count as used. Thread-safe.
class CallLog {
  /// The log of a single call, which is not logged.
  static final CallLog NONE =
      new CallLog() {
        @Override
        ToolCall own(String tool, Json arguments, int turn) {
          return ToolCall.of(tool, arguments);
        }

        @Override
        int repeats(ToolCall call) {
          return 0;
        }
      };

  private static final String OWN = "auto_";
  static final int MAX_CALLS = 1000;
  // For each half. At least as many as may wait to be stored, so that the store has all that is
  // forgotten.
  static final long MAX_CHARACTERS = 8_000_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, LoggedCall> unsettled = new HashMap<>(); // guarded by lock
  // The calls that were settled last, and those before, which are forgotten at once: to forget the
  // oldest after every call takes ten times as long. Guarded by lock.
  private Map<String, LoggedCall> latest = new HashMap<>();
  private Map<String, LoggedCall> earlier = Map.of();
  private long characters; // of the latest; guarded by lock
  // All ids, once a result is forgotten that no store has, null before; guarded by lock.
  private @Nullable UsedIds used;
  private final Repeats repeats = new Repeats();
  // Of this turn; written under lock.
  private volatile Map<ToolCall, ToolResult> own = Map.of();
  private int ownNumber; // in this turn; guarded by lock
  // Ids of calls that the store does not have, while this process alone continues the conversation;
  // guarded by lock.
  private Set<String> absent = Collections.emptySet(); // of a stored conversation a HashSet
  // Whether the store has no call but those that are logged here, in the first turn of a new
  // conversation; guarded by lock.
  private boolean isNew;
  private boolean begun; // whether that turn has begun; guarded by lock
  // All are set before the log is shared, if at all.
  private @Nullable ConversationStore store;
  private BooleanSupplier held = () -> false;
  private String conversation = "";

  record LoggedCall(ToolCall call, CompletableFuture<ToolResult> result) {
    static LoggedCall of(ToolCall call) {
      return new LoggedCall(call, new CompletableFuture<>());
    }

    /// Passes the result to that receiver once there is one.
    void whenSettled(Consumer<ToolResult> then) {
      CompletableFuture<Void> unused = result.thenAccept(then);
    }

    static LoggedCall settled(ToolCall call, ToolResult result) {
      return new LoggedCall(call, CompletableFuture.completedFuture(result));
    }

    /// Waits for the result of a call that is running; returns it.
    ToolResult await() {
      return result.join();
    }

    /// The result, null if there is none yet.
    @Nullable ToolResult now() {
      return result.getNow(null);
    }
  }

  /// The log entry of an arriving call: its own, or that of an earlier call of its id, or of a
  /// refusal.
  ///
  /// @param late whether its turn has ended
  record Claim(@Nullable LoggedCall own, @Nullable LoggedCall earlier, boolean late) {
    static final Claim NONE = new Claim(null, null, false);

    static Claim refused(ToolCall call, ToolResult refusal) {
      return new Claim(null, LoggedCall.settled(call, refusal), false);
    }
  }

  /// Reads the calls of the conversation's turn and the pending ones from the store.
  ///
  /// @param state null if the store has nothing of it
  /// @param mine whether this process alone continues the conversation
  void restore(
      String id, ConversationStore kept, @Nullable ConversationState state, BooleanSupplier mine) {
    conversation = id;
    store = kept;
    held = mine;
    absent = new HashSet<>();
    if (state == null) {
      isNew = true;
      return;
    }
    state.waiting().forEach(waiting -> waiting(waiting.request().call()));
    for (SettledCall settled : kept.settledCalls(id, state.turn())) {
      if (isOwn(settled.call())) {
        addOwn(settled.call(), settled.result());
        ownNumber++;
      } else {
        repeats.settled(settled.call(), settled.result());
      }
    }
  }

  /// A new call of the runtime; its id is the same if it is made again after a crash.
  ToolCall own(String tool, Json arguments, int turn) {
    lock.lock();
    try {
      ownNumber++;
      return new ToolCall(OWN + turn + "_" + ownNumber + "_" + tool, tool, arguments);
    } finally {
      lock.unlock();
    }
  }

  /// The runtime's own calls of this turn with their results, in the order they settled.
  Map<ToolCall, ToolResult> own() {
    return own;
  }

  private void addOwn(ToolCall call, ToolResult result) {
    Map<ToolCall, ToolResult> calls = new LinkedHashMap<>(own);
    calls.put(call, result);
    own = Collections.unmodifiableMap(calls);
  }

  /// Whether the runtime made the call by a rule.
  static boolean isOwn(ToolCall call) {
    return call.id().startsWith(OWN);
  }

  /// Settles the calls without a result here that another process has settled; returns them.
  List<SettledCall> adopt(ConversationState state) {
    List<SettledCall> results = new ArrayList<>();
    ConversationStore kept = store;
    if (kept == null) {
      return results;
    }
    for (LoggedCall entry : unsettled()) {
      String id = entry.call.id();
      SettledCall settled = state.waiting(id) == null ? kept.settledCall(conversation, id) : null;
      if (settled != null && settle(entry, settled.call(), settled.result())) {
        results.add(settled);
      }
    }
    return results;
  }

  private List<LoggedCall> unsettled() {
    lock.lock();
    try {
      return List.copyOf(unsettled.values());
    } finally {
      lock.unlock();
    }
  }

  Claim claim(ToolCall call, boolean late) {
    lock.lock();
    try {
      LoggedCall known = known(call.id());
      if (known == null && isForgotten(call.id())) {
        known = LoggedCall.settled(call, Refusal.forgottenId(call));
      }
      if (known != null) {
        return new Claim(null, known, late);
      }
      return new Claim(added(call), null, late);
    } finally {
      lock.unlock();
    }
  }

  private LoggedCall added(ToolCall call) {
    LoggedCall entry = LoggedCall.of(call);
    unsettled.put(call.id(), entry);
    absent.remove(call.id());
    return entry;
  }

  private @Nullable LoggedCall logged(String id) {
    LoggedCall open = unsettled.get(id);
    LoggedCall settled = open == null ? latest.get(id) : open;
    return settled == null ? earlier.get(id) : settled;
  }

  /// Whether that id, which is not in the log, was used by a forgotten call; it counts as used now.
  private boolean isForgotten(String id) {
    return used != null && !used.add(id);
  }

  private @Nullable LoggedCall known(String id) {
    LoggedCall known = logged(id);
    if (store == null || (known != null && known.result.isDone())) {
      return known;
    }
    if (known == null && (isNew || absent.contains(id)) && held.getAsBoolean()) {
      return null;
    }
    // A call that arrived here may have been settled by another process, after a person's answer.
    SettledCall settled = store.settledCall(conversation, id);
    boolean learns = known == null && held.getAsBoolean() && absent.size() < MAX_CALLS;
    if (settled == null && learns) {
      absent.add(id);
    }
    return settled == null ? known : LoggedCall.settled(settled.call(), settled.result());
  }

  /// Forgets which calls the store lacks: other processes may have made them since.
  void forgetAbsent() {
    lock.lock();
    try {
      absent.clear();
      isNew &= !begun;
    } finally {
      lock.unlock();
    }
  }

  /// The call of that id and its result, null if it has none yet.
  @Nullable SettledCall settledCall(String id) {
    lock.lock();
    try {
      LoggedCall known = known(id);
      ToolResult result = known == null ? null : known.result.getNow(null);
      return known == null || result == null ? null : new SettledCall(known.call, result);
    } finally {
      lock.unlock();
    }
  }

  /// The result of the call of that id, null if it has none yet.
  @Nullable ToolResult result(String id) {
    SettledCall settled = settledCall(id);
    return settled == null ? null : settled.result();
  }

  /// The entry of a pending call, which is added if the log has none.
  LoggedCall waiting(ToolCall call) {
    lock.lock();
    try {
      LoggedCall known = logged(call.id());
      return known == null ? added(call) : known;
    } finally {
      lock.unlock();
    }
  }

  /// Settles the call, and counts its success; false if it was settled before.
  ///
  /// @param ran the call with the arguments that it ran with
  boolean settle(LoggedCall entry, ToolCall ran, ToolResult result) {
    if (!entry.result.complete(result)) {
      return false;
    }
    lock.lock();
    try {
      long size = size(entry);
      makeRoom(size);
      unsettled.remove(entry.call.id());
      latest.put(entry.call.id(), entry);
      characters += size;
      if (isOwn(entry.call)) {
        addOwn(entry.call, result);
      } else {
        repeats.settled(ran, result);
      }
    } finally {
      lock.unlock();
    }
    return true;
  }

  /// Forgets a call that another process makes; those who wait for its result get this one.
  void abandon(LoggedCall entry, ToolResult result) {
    lock.lock();
    try {
      if (unsettled.remove(entry.call.id(), entry) && isOwn(entry.call)) {
        ownNumber--; // made again, it has the same id
      }
    } finally {
      lock.unlock();
    }
    boolean unused = entry.result.complete(result);
  }

  /// The number of equal calls in a row that have succeeded in this turn with the same text.
  int repeats(ToolCall call) {
    return repeats.times(call);
  }

  /// Forgets the repeated calls and those of the runtime.
  void nextTurn() {
    lock.lock();
    try {
      own = Map.of();
      ownNumber = 0;
      repeats.clear();
      absent.clear();
      begun = true;
    } finally {
      lock.unlock();
    }
  }

  /// Forgets the earlier calls if the latest have no room for one of that size, which then are the
  /// earlier ones; these too if they are too big.
  private void makeRoom(long size) {
    boolean fits = latest.isEmpty() || characters + size <= MAX_CHARACTERS;
    if (fits && latest.size() < MAX_CALLS / 2) {
      return;
    }
    boolean tooBig = characters > MAX_CHARACTERS;
    forgetEarlier();
    if (tooBig) {
      forgetEarlier();
    }
  }

  private void forgetEarlier() {
    if (store == null && used == null && !earlier.isEmpty()) {
      UsedIds ids = new UsedIds();
      Stream.of(earlier, latest, unsettled).forEach(calls -> calls.keySet().forEach(ids::add));
      used = ids;
    }
    isNew &= earlier.isEmpty();
    earlier = latest;
    latest = new HashMap<>();
    characters = 0;
  }

  static long size(LoggedCall entry) {
    String text = entry.result.join().text();
    return entry.call.arguments().text().length() + (text == null ? 0L : text.length());
  }
}
