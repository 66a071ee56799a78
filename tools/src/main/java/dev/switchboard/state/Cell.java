package dev.switchboard.state;

/// A stored value that several threads or processes change by compare-and-set on its version.
/// Stores implement it.
///
/// Implementations are thread-safe; they throw an unchecked exception when the value cannot be read
/// or stored.
public interface Cell<S> {
  /// The current value.
  Version<S> load();

  /// Replaces the value of that version. Returns false, without effect, if it is not the latest.
  boolean replace(Version<S> expected, S next);

  /// A value and its version.
  ///
  /// @param number 0 for a value that was never stored
  record Version<S>(long number, S value) {
    /// The next version, with this value.
    public Version<S> next(S value) {
      return new Version<>(number + 1, value);
    }
  }
}
