package dev.switchboard.ruling;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The uses of each tool in a scope. Immutable.
///
/// @param byTool only tools that were used
/// @param since when the scope began, null if unknown
public record Tallies(Map<String, Tally> byTool, @Nullable Instant since) {
  /// No uses.
  public static final Tallies NONE = new Tallies(Map.of(), null);

  public Tallies {
    byTool = Map.copyOf(byTool);
  }

  /// The tally of that tool.
  public Tally of(String tool) {
    return byTool.getOrDefault(tool, Tally.NONE);
  }

  /// These tallies of a scope that began at that moment, unless it is known already.
  Tallies begun(Instant now) {
    return since == null ? new Tallies(byTool, now) : this;
  }

  /// These tallies after a start of that tool.
  public Tallies started(String tool, Instant now) {
    return with(tool, tally -> tally.start(now));
  }

  /// These tallies after the end of a call of that tool.
  public Tallies ended(String tool, boolean success) {
    return with(tool, tally -> tally.end(success));
  }

  /// Whether the last start of that tool, or without a name of any, is after that moment.
  public boolean isAhead(@Nullable String tool, Instant now) {
    if (tool != null) {
      return of(tool).isAhead(now);
    }
    for (Tally tally : byTool.values()) {
      if (tally.isAhead(now)) {
        return true;
      }
    }
    return false;
  }

  /// These tallies, with later starts moved to that moment.
  public Tallies notAfter(Instant now) {
    Map<String, Tally> next = new HashMap<>(byTool);
    next.replaceAll((tool, tally) -> tally.isAhead(now) ? tally.startedAt(now) : tally);
    return new Tallies(next, since);
  }

  /// These tallies without the start at that time of a call that did not run.
  ///
  /// @param before the tallies before it
  public Tallies withdrawn(String tool, Instant start, Tallies before) {
    return with(tool, tally -> tally.withdraw(start, before.of(tool)));
  }

  /// Whether the tally of one of these tools matches the condition.
  boolean any(List<String> tools, Predicate<Tally> is) {
    for (String tool : tools) {
      if (is.test(of(tool))) {
        return true;
      }
    }
    return false;
  }

  /// Those of these tools whose tally matches the condition.
  List<String> those(List<String> tools, Predicate<Tally> are) {
    return tools.stream().filter(tool -> are.test(of(tool))).toList();
  }

  private Tallies with(String tool, UnaryOperator<Tally> change) {
    Map<String, Tally> next = new HashMap<>(byTool);
    next.put(tool, change.apply(of(tool)));
    return new Tallies(next, since);
  }
}
