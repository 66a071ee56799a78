package dev.switchboard.ruling;

import dev.switchboard.check.Closest;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleFault.Kind;
import dev.switchboard.ruling.RuleFault.Part;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The faults found so far, each once.
final class RuleFaults {
  private final Set<RuleFault> faults = new LinkedHashSet<>();

  void add(int rule, Part part, Kind kind, String message) {
    faults.add(new RuleFault(rule, part, kind, message));
  }

  /// In the order of the rules.
  List<RuleFault> list() {
    return faults.stream().sorted(Comparator.comparingInt(RuleFault::rule)).toList();
  }

  /// The rule as the beginning of a sentence: `MaxCalls of 'search'`.
  static String label(ToolRule rule) {
    String tool = rule.tool().equals(ToolRule.ANY) ? "every tool" : Quoted.name(rule.tool());
    return rule.type().kind().pascal() + " of " + tool;
  }

  /// A suggestion for a misspelt name, as the end of a sentence.
  static String suggestion(String name, Collection<String> names) {
    List<String> closest = Closest.to(name, names);
    return closest.isEmpty() ? "" : "; did you mean " + Quoted.name(closest.getFirst()) + "?";
  }
}
