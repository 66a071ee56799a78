package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Collects the faults of a file.
final class FaultList {
  private final List<ConfigException.Fault> list = new ArrayList<>();

  void add(ConfigException.Fault fault) {
    if (!list.contains(fault)) {
      list.add(fault);
    }
  }

  boolean haveErrors() {
    return list.stream().anyMatch(fault -> fault.severity() == Severity.ERROR);
  }

  /// The faults in the order they were found.
  List<ConfigException.Fault> found() {
    return List.copyOf(list);
  }

  /// The faults by position; those of one position in the order they were found.
  List<ConfigException.Fault> inOrder() {
    return list.stream()
        .sorted(
            Comparator.comparing(ConfigException.Fault::file)
                .thenComparingInt(ConfigException.Fault::line)
                .thenComparingInt(ConfigException.Fault::column))
        .toList();
  }
}
