package dev.switchboard.ruling;

import dev.switchboard.ruling.Prerequisites.Need;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// Finds the tools that wait for themselves, in one pass that looks at each need once (Tarjan's
/// strongly connected components).
final class Circles {
  private final Function<String, List<Need>> needs;
  private final Map<String, Integer> met = new HashMap<>(); // the order of the first visits
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> way = new ArrayDeque<>();
  private final Deque<Iterator<Need>> open = new ArrayDeque<>();
  private final Deque<String> rest = new ArrayDeque<>(); // not yet in a part
  private final Set<String> resting = new HashSet<>();
  private final Map<String, Integer> parts = new HashMap<>();
  private long looked;

  Circles(Function<String, List<Need>> needs) {
    this.needs = needs;
  }

  /// For each tool that waits for itself a number, the same for tools that wait for each other.
  Map<String, Integer> parts(Collection<String> tools) {
    for (String tool : tools) {
      if (!met.containsKey(tool)) {
        enter(tool);
        walk();
      }
    }
    return parts;
  }

  /// The number of needs looked at.
  long looked() {
    return looked;
  }

  private void enter(String tool) {
    lowest.put(tool, met.size());
    met.put(tool, met.size());
    way.addLast(tool);
    open.addLast(needs.apply(tool).iterator());
    rest.addLast(tool);
    resting.add(tool);
  }

  private void walk() {
    while (!open.isEmpty()) {
      String tool = way.getLast();
      if (open.getLast().hasNext()) {
        Need need = open.getLast().next();
        looked++;
        if (!need.gate()) {
          look(tool, need.needed());
        }
      } else {
        open.removeLast();
        way.removeLast();
        leave(tool);
      }
    }
  }

  private void look(String tool, String needed) {
    Integer number = met.get(needed);
    if (number == null) {
      enter(needed);
    } else if (resting.contains(needed)) {
      lowest.merge(tool, number, Math::min);
    }
  }

  private void leave(String tool) {
    int low = lowest.getOrDefault(tool, 0);
    if (!way.isEmpty()) {
      lowest.merge(way.getLast(), low, Math::min);
    }
    if (low < met.getOrDefault(tool, 0)) {
      return;
    }
    boolean alone = rest.getLast().equals(tool);
    String last;
    do {
      last = rest.removeLast();
      resting.remove(last);
      if (!alone || waitsForItself(tool)) {
        parts.put(last, low);
      }
    } while (!last.equals(tool));
  }

  private boolean waitsForItself(String tool) {
    return needs.apply(tool).stream().anyMatch(need -> !need.gate() && need.needed().equals(tool));
  }
}
