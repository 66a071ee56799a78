package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Collects the faults of a file, up to a number: a file that is not one of its format has a fault
/// at every line.
final class FaultList {
  private static final int MOST_OF_SYNTAX = 20;
  private static final int MOST = 1_000;
  static final int MOST_SUGGESTIONS = 200;

  private final Set<ConfigException.Fault> list = new LinkedHashSet<>();
  private final Map<Group, Integer> found = new LinkedHashMap<>();
  private int suggestions;
  private boolean errors;

  /// Faults that are counted together.
  private record Group(String file, Severity severity, boolean syntax) {
    private static Group of(ConfigException.Fault fault) {
      return new Group(fault.file(), fault.severity(), fault.kind() == FaultClass.SYNTAX);
    }

    private int most() {
      return syntax ? MOST_OF_SYNTAX : MOST;
    }
  }

  void add(ConfigException.Fault fault) {
    errors |= fault.severity() == Severity.ERROR;
    Group group = Group.of(fault);
    if (found.getOrDefault(group, 0) >= group.most()) {
      found.merge(group, 1, Integer::sum);
    } else if (list.add(fault)) {
      found.merge(group, 1, Integer::sum);
    }
  }

  /// [Hints#closest] for the first unknown names: to find a close one means a look at all.
  String closest(String word, Collection<String> known) {
    return suggestions++ < MOST_SUGGESTIONS ? Hints.closest(word, known) : "";
  }

  boolean haveErrors() {
    return errors;
  }

  /// The faults in the order they were found.
  List<ConfigException.Fault> found() {
    return Stream.concat(list.stream(), leftOut()).toList();
  }

  /// The faults by position; those of one position in the order they were found.
  List<ConfigException.Fault> inOrder() {
    Stream<ConfigException.Fault> sorted =
        list.stream()
            .sorted(
                Comparator.comparing(ConfigException.Fault::file)
                    .thenComparingInt(ConfigException.Fault::line)
                    .thenComparingInt(ConfigException.Fault::column));
    return Stream.concat(sorted, leftOut()).toList();
  }

  /// That faults are not listed.
  private Stream<ConfigException.Fault> leftOut() {
    return found.entrySet().stream()
        .filter(entry -> entry.getValue() > entry.getKey().most())
        .map(entry -> leftOut(entry.getKey()));
  }

  private static ConfigException.Fault leftOut(Group group) {
    return new ConfigException.Fault(
        group.file,
        0,
        0,
        group.severity,
        group.syntax ? FaultClass.SYNTAX : FaultClass.BAD_VALUE,
        "further faults are not listed; correct these first");
  }
}
