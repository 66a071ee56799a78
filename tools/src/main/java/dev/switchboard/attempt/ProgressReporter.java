package dev.switchboard.attempt;

import dev.switchboard.tool.Event;
import dev.switchboard.tool.Reassurance;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a running call reports to the user: the handler's progress, and a reassurance when it is
/// silent for too long.
///
/// Reports nothing after it was closed. Thread-safe.
final class ProgressReporter {
  private final Attempted call;
  private final long reassureAt;
  // Text and attempt. Used only while the session shows an event, so by one thread at a time.
  private @Nullable Map<String, Integer> said;
  private volatile @Nullable Reassurance pending;
  // Whether a thread is about to show the reassurance.
  private volatile boolean asked;
  private volatile boolean closed;

  ProgressReporter(Attempted call, @Nullable Reassurance reassurance, long started) {
    this.call = call;
    pending = reassurance;
    reassureAt = reassurance == null ? 0 : started + reassurance.after().toNanos();
  }

  /// Reports progress, except what an earlier attempt has reported.
  void progress(@Nullable String text, int attempt) {
    if (text != null && !text.isBlank()) {
      call.show(() -> hint(text, attempt));
    }
  }

  private @Nullable Event hint(String text, int attempt) {
    if (closed || !isNew(text, attempt)) {
      return null;
    }
    pending = null;
    return Event.LoaderHint.progress(call.call().id(), text);
  }

  private boolean isNew(String text, int attempt) {
    said = said == null ? new HashMap<>() : said;
    return said.merge(text, attempt, Math::min) == attempt;
  }

  /// The time of the reassurance, at most `until`.
  long nextBefore(long until) {
    return pending != null && !asked && reassureAt - until < 0 ? reassureAt : until;
  }

  /// Whether to call [#reassure] now; true only once.
  boolean reassuranceIsDue(long now) {
    if (pending == null || asked || now - reassureAt < 0) {
      return false;
    }
    asked = true;
    return true;
  }

  /// Shows the reassurance, unless progress was reported or the call has ended meanwhile.
  void reassure() {
    call.show(this::reassurance);
  }

  private @Nullable Event reassurance() {
    Reassurance due = pending;
    pending = null;
    // No one waits for it once the conversation has ended.
    return due == null || closed || call.cancelled()
        ? null
        : Event.LoaderHint.reassurance(call.call().id(), due);
  }

  /// Closes it. An event that is being shown now comes before the result: the session shows one at
  /// a time.
  void close() {
    closed = true;
  }
}
