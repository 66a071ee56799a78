package dev.switchboard.execution;

import dev.switchboard.tool.Event;
import dev.switchboard.tool.Reassurance;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What a running call says while it works: its handler's progress, and the reassurance when it is
/// silent for too long.
///
/// Nothing is said after it was closed. Safe for use by several threads.
final class Speech {
  private final String callId;
  private final ToolSession session;
  private final long reassureAt;
  private final ReentrantLock lock; // the session's
  private @Nullable Map<String, Integer> said; // text, attempt; guarded by lock
  private volatile @Nullable Reassurance pending;
  private boolean closed; // guarded by lock

  Speech(String callId, ToolSession session, @Nullable Reassurance reassurance, long started) {
    this.callId = callId;
    this.session = session;
    lock = session.eventLock();
    pending = reassurance;
    reassureAt = reassurance == null ? 0 : started + reassurance.after().toNanos();
  }

  /// Says how far the work is; not again what an earlier attempt has said.
  void progress(String text, int attempt) {
    if (text.isBlank()) {
      return;
    }
    lock.lock();
    try {
      if (!closed && isNew(text, attempt)) {
        pending = null;
        session.show(new Event.LoaderHint(callId, text));
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isNew(String text, int attempt) {
    said = said == null ? new HashMap<>() : said;
    return said.merge(text, attempt, Math::min) == attempt;
  }

  /// The moment to wake for: when to reassure, if that lies before `until`.
  long nextBefore(long until) {
    return pending != null && reassureAt - until < 0 ? reassureAt : until;
  }

  void reassureIfDue(long now) {
    Reassurance due = pending;
    if (due == null || now - reassureAt < 0) {
      return;
    }
    lock.lock();
    try {
      if (pending != null) {
        pending = null;
        session.show(new Event.LoaderHint(callId, due.message()));
      }
    } finally {
      lock.unlock();
    }
  }

  /// Ends it, waiting for what is being said.
  void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }
}
