package dev.switchboard.config;

import dev.switchboard.config.ConfigFault.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Where everything that reads a file puts what it finds.
final class FaultList {
  private final List<ConfigFault> list = new ArrayList<>();

  void add(ConfigFault fault) {
    if (!list.contains(fault)) {
      list.add(fault);
    }
  }

  boolean haveErrors() {
    return list.stream().anyMatch(fault -> fault.severity() == Severity.ERROR);
  }

  /// In the order they were found.
  List<ConfigFault> found() {
    return List.copyOf(list);
  }

  /// In the order of their places; those of one place in the order they were found.
  List<ConfigFault> inOrder() {
    return list.stream()
        .sorted(
            Comparator.comparing(ConfigFault::file)
                .thenComparingInt(ConfigFault::line)
                .thenComparingInt(ConfigFault::column))
        .toList();
  }
}
