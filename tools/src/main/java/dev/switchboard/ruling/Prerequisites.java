package dev.switchboard.ruling;

import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolDefinition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The tools that each tool waits for before it can run for the first time. What it finds is
/// bounded: rules that state more needs, or take more steps to follow, are found out in part.
final class Prerequisites {
  private static final int MOST = 200_000;
  private static final int MOST_KEPT = 1_000_000;
  private static final long MOST_STEPS = 10_000_000;

  private final Set<String> tools;
  private final Set<String> starts;
  private final List<Need> all = new ArrayList<>();
  private final Map<String, List<Need>> byTool = new HashMap<>();
  private final Map<Asked, Set<String>> found = new HashMap<>();
  private int kept;
  private long steps;
  private boolean leftOut;

  /// One tool waits for another.
  ///
  /// @param rule the index of its rule
  /// @param gate whether it is the need of every tool for a start tool
  record Need(String tool, String needed, ToolRule.Scope scope, int rule, boolean gate) {}

  private record Asked(String tool, ToolRule.Scope scope) {}

  private Prerequisites(Set<String> tools, Set<String> starts) {
    this.tools = tools;
    this.starts = starts;
  }

  static Prerequisites of(List<ToolRule> rules, @Nullable List<ToolDefinition> tools) {
    Set<String> known = new LinkedHashSet<>(new RuleCompiler(rules, Map.of()).names());
    if (tools != null) {
      tools.forEach(tool -> known.add(tool.name()));
    }
    Set<String> starts =
        rules.stream()
            .filter(rule -> rule.type() instanceof RuleType.StartConstraint)
            .map(ToolRule::tool)
            .filter(known::contains)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    Prerequisites needs = new Prerequisites(known, starts);
    Map<String, Integer> order = new HashMap<>();
    known.forEach(tool -> order.put(tool, order.size()));
    for (int i = 0; i < rules.size() && !needs.leftOut; i++) {
      needs.addAll(rules.get(i), i, order);
    }
    return needs;
  }

  private void addAll(ToolRule rule, int index, Map<String, Integer> order) {
    boolean any = rule.tool().equals(ToolRule.ANY);
    if (rule.type() instanceof RuleType.RequiresPreceding(var preceding)) {
      Set<String> others = new HashSet<>(preceding);
      for (String tool : any ? tools : List.of(rule.tool())) {
        if (!any || !others.contains(tool)) {
          preceding.forEach(needed -> add(new Need(tool, needed, rule.scope(), index, false)));
        }
      }
    } else if (rule.type() instanceof RuleType.Parent(var children) && !any) {
      children.stream()
          .filter(tools::contains)
          .sorted(Comparator.comparing(child -> order.getOrDefault(child, 0)))
          .forEach(child -> add(new Need(child, rule.tool(), rule.scope(), index, false)));
    } else if (rule.type() instanceof RuleType.StartConstraint && starts.contains(rule.tool())) {
      tools.stream()
          .filter(tool -> !starts.contains(tool))
          .forEach(tool -> add(new Need(tool, rule.tool(), rule.scope(), index, true)));
    }
  }

  private void add(Need need) {
    if (all.size() == MOST) {
      leftOut = true;
      return;
    }
    all.add(need);
    byTool.computeIfAbsent(need.tool(), tool -> new ArrayList<>()).add(need);
  }

  /// All known tools: the agent's, and those that rules name.
  Set<String> tools() {
    return tools;
  }

  Set<String> starts() {
    return starts;
  }

  /// The needs that rules state.
  List<Need> stated() {
    return all.stream().filter(need -> !need.gate()).toList();
  }

  /// The number of needs looked at so far.
  long steps() {
    return steps;
  }

  /// Whether the rules state so much that it was found out in part.
  boolean isInPart() {
    return leftOut || steps >= MOST_STEPS;
  }

  /// Whether the tool waits for others.
  boolean waits(String tool) {
    return byTool.containsKey(tool);
  }

  /// The tools that have succeeded within the scope whenever this one runs.
  Set<String> before(String tool, ToolRule.Scope scope) {
    if (!waits(tool)) {
      return Set.of();
    }
    Asked asked = new Asked(tool, scope);
    Set<String> known = found.get(asked);
    if (known != null) {
      return known;
    }
    Set<String> before = follow(tool, scope);
    if (kept + before.size() <= MOST_KEPT) {
      kept += before.size();
      found.put(asked, before);
    }
    return before;
  }

  private Set<String> follow(String tool, ToolRule.Scope scope) {
    Set<String> before = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(tool));
    while (!open.isEmpty() && !isInPart()) {
      for (Need need : of(open.remove())) {
        steps++;
        if (need.scope().compareTo(scope) <= 0 && before.add(need.needed())) {
          open.add(need.needed());
        }
      }
    }
    return before;
  }

  private List<Need> of(String tool) {
    return byTool.getOrDefault(tool, List.of());
  }

  /// For the tools that wait for themselves, the needs from one back to itself; each such tool is
  /// in one of them, as far as they are disjoint.
  List<List<Need>> cycles() {
    if (isInPart()) {
      return List.of();
    }
    Circles circles = new Circles(this::of);
    Map<String, Integer> parts = circles.parts(tools);
    steps += circles.looked();
    List<List<Need>> cycles = new ArrayList<>();
    Set<String> reported = new HashSet<>();
    for (String tool : tools) {
      if (!reported.contains(tool) && parts.containsKey(tool) && !isInPart()) {
        List<Need> cycle = cycle(tool, parts);
        cycle.forEach(need -> reported.add(need.tool()));
        cycles.add(cycle);
      }
    }
    return cycles;
  }

  /// The first way back, in the order of the needs. All tools of the part reach the tool.
  private List<Need> cycle(String tool, Map<String, Integer> parts) {
    Set<String> seen = new HashSet<>();
    Deque<Iterator<Need>> open = new ArrayDeque<>(List.of(of(tool).iterator()));
    Deque<Need> way = new ArrayDeque<>();
    while (!open.isEmpty()) {
      if (!open.getLast().hasNext()) {
        open.removeLast();
        way.pollLast();
        continue;
      }
      Need need = open.getLast().next();
      steps++;
      if (need.gate() || !parts.getOrDefault(need.needed(), -1).equals(parts.get(tool))) {
        continue;
      }
      if (need.needed().equals(tool)) {
        way.add(need);
        return List.copyOf(way);
      }
      if (seen.add(need.needed())) {
        way.add(need);
        open.add(of(need.needed()).iterator());
      }
    }
    throw new IllegalStateException(tool + " does not wait for itself");
  }
}
