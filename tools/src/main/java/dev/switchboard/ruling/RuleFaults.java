package dev.switchboard.ruling;

import dev.switchboard.check.Closest;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleFault.Kind;
import dev.switchboard.ruling.RuleFault.Part;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The faults found so far, each once. Of one kind only so many are kept, and fewer have a
/// suggestion: no one reads more.
final class RuleFaults {
  private static final int MOST = 2_000; // more than are listed of a file
  private static final int MOST_SUGGESTIONS = 200;

  private final Map<Kind, Integer> found = new EnumMap<>(Kind.class);
  private int suggestions;
  private final Set<RuleFault> faults = new LinkedHashSet<>();

  void add(int rule, Part part, Kind kind, String message) {
    if (!isFull(kind) && faults.add(new RuleFault(rule, part, kind, message))) {
      found.merge(kind, 1, Integer::sum);
    }
  }

  /// Whether no more faults of that kind are kept.
  boolean isFull(Kind kind) {
    return found.getOrDefault(kind, 0) >= MOST;
  }

  /// In the order of the rules.
  List<RuleFault> list() {
    return faults.stream().sorted(Comparator.comparingInt(RuleFault::rule)).toList();
  }

  /// The rule as the beginning of a sentence: `MaxCalls of 'search'`.
  static String label(ToolRule rule) {
    String tool = rule.tool().equals(ToolRule.ANY) ? "every tool" : Quoted.name(rule.tool());
    return RuleKind.of(rule.type()).pascal() + " of " + tool;
  }

  /// A suggestion for a misspelt name, as the end of a sentence.
  String suggestion(String name, Collection<String> names) {
    if (suggestions++ >= MOST_SUGGESTIONS) {
      return "";
    }
    List<String> closest = Closest.to(name, names);
    return closest.isEmpty() ? "" : "; did you mean " + Quoted.name(closest.getFirst()) + "?";
  }
}
