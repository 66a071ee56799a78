package dev.switchboard.state;

/// A place for a value that several threads or processes may change: read, and replaced only by
/// whoever has seen its latest version. The port to wherever state is kept.
///
/// Implementations are safe for use by several threads; they throw an unchecked exception when the
/// value cannot be read or kept.
public interface Cell<S> {
  /// The value as it is now.
  Version<S> load();

  /// Puts a value in the place of that version; false, and nothing done, when it is no longer the
  /// latest.
  boolean replace(Version<S> expected, S next);

  /// A value and the number of its version.
  ///
  /// @param number 0 for a value that was never kept
  record Version<S>(long number, S value) {
    /// The next version, which has this value.
    public Version<S> next(S value) {
      return new Version<>(number + 1, value);
    }
  }
}
