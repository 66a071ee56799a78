package dev.switchboard.tool;

/// What becomes of a running call when its conversation is cancelled.
public enum InterruptPolicy {
  /// It runs to its end and is recorded.
  FINISH,
  /// It is stopped, and its result says `cancelled`.
  CANCEL
}
