package dev.switchboard.ruling;

import dev.switchboard.rule.ToolRule;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a step of a turn requires of the next. The calls of a round are one step; a step without a
/// success requires nothing.
///
/// @param after the tools that succeeded in it
/// @param limited whether only some tools may follow
/// @param only these, if limited; none if empty
public record Following(Set<String> after, boolean limited, Set<String> only) {
  public Following {
    after = Collections.unmodifiableSet(new LinkedHashSet<>(after));
    only = Collections.unmodifiableSet(new LinkedHashSet<>(only));
  }

  /// The requirement after a further success in the step.
  ///
  /// @param earlier the requirement so far, null for the first success
  /// @param limits of what may follow; all of them apply
  static Following of(@Nullable Following earlier, String tool, List<Set<String>> limits) {
    Set<String> after = new LinkedHashSet<>();
    boolean limited = !limits.isEmpty();
    Set<String> only = limited ? common(limits) : Set.of();
    if (earlier != null) {
      after.addAll(earlier.after);
      only =
          limited && earlier.limited
              ? common(List.of(earlier.only, only))
              : limited ? only : earlier.only;
      limited |= earlier.limited;
    }
    after.add(tool);
    return new Following(after, limited, only);
  }

  /// Whether it follows a success of that tool.
  ///
  /// @param tool `*` for any tool but these
  boolean follows(String tool, Set<String> others) {
    return tool.equals(ToolRule.ANY) ? !others.containsAll(after) : after.contains(tool);
  }

  private static Set<String> common(List<Set<String>> limits) {
    return limits.getFirst().stream()
        .filter(name -> limits.stream().allMatch(limit -> limit.contains(name)))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
