package dev.switchboard.time;

/// Something that will be done at a moment, unless it is cancelled before.
///
/// Safe for use by several threads.
public interface Alarm {
  /// Takes it back; without effect once it has gone off.
  void cancel();
}
