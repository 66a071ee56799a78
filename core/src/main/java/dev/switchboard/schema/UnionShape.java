package dev.switchboard.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A value that meets one of several shapes, or exactly one of them.
record UnionShape(List<Shape> alternatives, boolean exactlyOne) implements Shape {
  @Override
  public @Nullable Object read(Tokens in) {
    JsonNode value = in.tree();
    if (!fits(met(value, in.budget()))) {
      throw Mismatch.INSTANCE;
    }
    return null;
  }

  private boolean fits(int met) {
    return exactlyOne ? met == 1 : met > 0;
  }

  private int met(JsonNode value, Faults budget) {
    budget.step();
    int met = 0;
    for (Shape alternative : alternatives) {
      if (alternative.accepts(value, budget)) {
        met++;
        if (!exactlyOne) {
          return met;
        }
      }
    }
    return met;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    int met = met(value, faults);
    if (met == 0) {
      explainClosest(value, at, faults);
    } else if (!fits(met)) {
      faults.add(
          at,
          "a value that fits exactly one of " + alternatives.size() + " alternatives",
          "one that fits " + met);
    }
  }

  /// The faults of the one alternative that is clearly meant: the only one of the value's type, or
  /// with the fewest faults.
  private void explainClosest(JsonNode value, Place at, Faults faults) {
    Faults best = null;
    boolean tie = false;
    for (Shape alternative : alternatives) {
      Faults trial = faults.trial();
      alternative.explain(value, at, trial);
      String pointer = at.pointer();
      boolean ofAnotherType =
          trial.list().stream().anyMatch(fault -> fault.pointer().equals(pointer));
      if (ofAnotherType) {
        continue;
      }
      if (best == null || trial.size() < best.size()) {
        best = trial;
        tie = false;
      } else {
        tie |= trial.size() == best.size();
      }
    }
    if (best == null || tie) {
      faults.add(at, expected(), Found.of(value));
    } else {
      faults.addAll(best);
    }
  }

  @Override
  public String expected() {
    return String.join(" or ", alternatives.stream().map(Shape::expected).distinct().toList());
  }
}
