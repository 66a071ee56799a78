package dev.switchboard.cli;

import dev.switchboard.check.Closest;
import dev.switchboard.ruling.RuleKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The names of rule types on the command line.
final class RuleNames extends ArrayList<String> {
  private static final long serialVersionUID = 1L;

  RuleNames() {
    super(Arrays.stream(RuleKind.values()).map(RuleKind::kebab).toList());
  }

  /// The type of that name.
  ///
  /// @throws Failure when it is unknown
  static RuleKind kind(String name) {
    RuleKind kind = RuleKind.of(name);
    if (kind != null) {
      return kind;
    }
    List<String> all = new RuleNames();
    List<String> closest = Closest.to(name, all);
    String hint =
        (closest.isEmpty() ? "; there" : "; did you mean '" + closest.getFirst() + "'? There")
            + " are "
            + String.join(", ", all)
            + ".";
    throw Failure.usage("There is no rule type '" + name + "'" + hint, null);
  }
}
