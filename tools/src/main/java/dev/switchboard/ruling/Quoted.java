package dev.switchboard.ruling;

import java.time.Duration;
import java.util.Collection;
import java.util.stream.Collectors;

/// Names and times as in sentences.
final class Quoted {
  private Quoted() {}

  /// For example `['load', 'validate']`.
  static String list(Collection<String> names) {
    return names.stream().map(Quoted::name).collect(Collectors.joining(", ", "[", "]"));
  }

  /// For example `'load'`.
  static String name(String name) {
    return "'" + name + "'";
  }

  /// For example `1500 ms`, rounded up.
  static String millis(Duration length) {
    return length.plusNanos(999_999).toMillis() + " ms";
  }
}
