package dev.switchboard.config;

import java.util.Locale;

/// How bad a fault is.
public enum Severity {
  /// The file cannot be used.
  ERROR,
  /// The file can be used, but is likely not to do what its author thinks.
  WARNING;

  /// The word that people and programs read: `error` or `warning`.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
