package dev.switchboard.check;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A value of one shape if it matches a condition, otherwise of another.
///
/// @param never the condition in words, if no value may match it
record ConditionalShape(Shape condition, Shape then, Shape otherwise, @Nullable String never)
    implements Shape {

  @Override
  public @Nullable Object read(JsonTokens in) {
    readAsTree(in);
    return null;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    faults.step();
    boolean met = condition.accepts(value, faults);
    if (never == null) {
      (met ? then : otherwise).explain(value, at, faults);
    } else if (met) {
      faults.add(at, () -> "a value that does not match " + never, value);
    }
  }

  @Override
  public String expected() {
    return never == null ? "any value" : "a value that does not match " + never;
  }
}
