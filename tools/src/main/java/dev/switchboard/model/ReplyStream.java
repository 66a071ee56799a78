package dev.switchboard.model;

import dev.switchboard.text.Surrogates;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Receives a model's text as it arrives, and cancels the reply.
///
/// Thread-safe. No text is passed on after [#cancel()].
public final class ReplyStream {
  private final @Nullable Consumer<String> onText;
  private final boolean shown;
  private final ReentrantLock lock = new ReentrantLock();
  private Runnable onCancel = () -> {}; // guarded by lock
  private String waiting = ""; // half a surrogate pair, or nothing, guarded by lock
  private volatile boolean cancelled;
  private volatile boolean heard;
  private volatile Runnable onLife = () -> {};
  private volatile Consumer<String> onDropped = reason -> {};

  /// @param onText receives each fragment as it arrives
  public ReplyStream(Consumer<String> onText) {
    this(onText, true);
  }

  private ReplyStream(@Nullable Consumer<String> onText, boolean shown) {
    this.onText = onText;
    this.shown = shown;
  }

  /// A stream without a listener, so that the model need not stream.
  public static ReplyStream unheard() {
    return new ReplyStream(null, true);
  }

  /// A stream whose text arrives in fragments but is not shown. So a long reply does not count as
  /// silence, and the request can still be retried.
  public static ReplyStream held() {
    return new ReplyStream(words -> {}, false);
  }

  /// Whether the text is wanted before the reply is complete.
  public boolean wanted() {
    return onText != null;
  }

  /// Passes a fragment on; an empty or late one is dropped. Half a surrogate pair at its end waits
  /// for the other half.
  public void text(String fragment) {
    alive();
    handOn(joined(fragment));
  }

  /// Notes that the model works, though it has no text to pass on: it thinks, or writes a call.
  public void alive() {
    onLife.run();
  }

  /// Notes that the provider did not use the reasoning of earlier replies.
  ///
  /// @param reason a word or a sentence of the provider or its client
  public void dropped(String reason) {
    onDropped.accept(reason);
  }

  /// Sets what runs at each sign of life.
  public void onLife(Runnable action) {
    onLife = action;
  }

  /// Sets what receives the reason if the reasoning of earlier replies is not used.
  public void onDropped(Consumer<String> listener) {
    onDropped = listener;
  }

  /// Passes on what still waits, when the reply has ended.
  public void end() {
    handOn(joined(null));
  }

  private void handOn(String words) {
    if (onText != null && !cancelled && !words.isEmpty()) {
      heard |= shown;
      onText.accept(words);
    }
  }

  /// The text without an incomplete surrogate pair at its end.
  ///
  /// @param more null if no more comes
  private String joined(@Nullable String more) {
    lock.lock();
    try {
      String all = more == null ? waiting : waiting + more;
      int last = all.length() - 1;
      boolean half = more != null && last >= 0 && Character.isHighSurrogate(all.charAt(last));
      waiting = half ? all.substring(last) : "";
      return Surrogates.repaired(half ? all.substring(0, last) : all);
    } finally {
      lock.unlock();
    }
  }

  /// Whether any text was passed on.
  public boolean heard() {
    return heard;
  }

  /// Sets an action that stops the model from another thread; it runs at once if the stream was
  /// cancelled before. A later action replaces an earlier one.
  public void onCancel(Runnable action) {
    lock.lock();
    try {
      onCancel = action;
    } finally {
      lock.unlock();
    }
    if (cancelled) {
      action.run();
    }
  }

  /// Cancels the reply.
  public void cancel() {
    cancelled = true;
    Runnable action;
    lock.lock();
    try {
      action = onCancel;
    } finally {
      lock.unlock();
    }
    action.run();
  }

  /// Whether the text is no longer wanted.
  public boolean cancelled() {
    return cancelled;
  }
}
