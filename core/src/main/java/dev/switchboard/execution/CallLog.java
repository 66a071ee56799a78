package dev.switchboard.execution;

import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The latest calls of a conversation and their results, by id, so that a call delivered twice runs
/// once.
///
/// Bounded by number and by size; the oldest settled ones go first, the latest call stays however
/// big it is. Safe for use by several threads.
final class CallLog {
  static final int MAX_CALLS = 1000;
  static final long MAX_CHARACTERS = 8_000_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Entry> entries = new LinkedHashMap<>(); // guarded by lock
  private long characters; // guarded by lock

  record Entry(ToolCall call, CompletableFuture<ToolResult> result) {
    /// The answer for a later call of the same id: this one's result, waited for, or an error for
    /// another question.
    ToolResult answer(ToolCall later) {
      return call.asksTheSameAs(later) ? result.join() : Refusal.duplicateId(later);
    }
  }

  /// A call's place in the log: its own, or that of an earlier call of the same id.
  record Claim(@Nullable Entry own, @Nullable Entry earlier) {
    static final Claim NONE = new Claim(null, null);
  }

  Claim claim(ToolCall call) {
    lock.lock();
    try {
      Entry known = entries.get(call.id());
      if (known != null) {
        return new Claim(null, known);
      }
      Entry entry = new Entry(call, new CompletableFuture<>());
      entries.put(call.id(), entry);
      return new Claim(entry, null);
    } finally {
      lock.unlock();
    }
  }

  void settle(Entry entry, ToolResult result) {
    entry.result.complete(result);
    lock.lock();
    try {
      characters += size(entry);
      trim();
    } finally {
      lock.unlock();
    }
  }

  private void trim() {
    Iterator<Entry> oldest = entries.values().iterator();
    while (tooMuch() && oldest.hasNext()) {
      Entry entry = oldest.next();
      if (entry.result.isDone()) {
        characters -= size(entry);
        oldest.remove();
      }
    }
  }

  private boolean tooMuch() {
    return entries.size() > MAX_CALLS || (characters > MAX_CHARACTERS && entries.size() > 1);
  }

  private static long size(Entry entry) {
    String text = entry.result.join().text();
    return entry.call.arguments().text().length() + (text == null ? 0L : text.length());
  }
}
