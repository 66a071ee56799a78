package dev.switchboard.check;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The shape of members and items that no other keyword evaluates, including alternatives and
/// references.
///
/// @param spoken what else the schema evaluates
/// @param members null for any
/// @param items null for any
record UnevaluatedShape(Spoken spoken, @Nullable Shape members, @Nullable Shape items)
    implements Shape {

  /// The members and items that a schema evaluates.
  ///
  /// @param allMembers whether every member
  /// @param first the number of leading items
  /// @param contains the items at any place, null for none
  /// @param parts schemas for the same value; filled once, while the tool is built
  record Spoken(
      Set<String> names,
      List<Regex> patterns,
      boolean allMembers,
      int first,
      @Nullable Shape contains,
      List<Part> parts) {

    private void mark(JsonNode value, Marks marks, Faults budget) {
      budget.step();
      marks.allMembers |= allMembers;
      marks.items.set(0, Math.min(first, value.isArray() ? value.size() : 0));
      if (value.isObject()) {
        budget.step(value.size());
        value.forEachEntry((name, member) -> {
          if (names.contains(name) || matches(name, budget)) {
            marks.names.add(name);
          }
        });
      }
      for (int i = 0; contains != null && value.isArray() && i < value.size(); i++) {
        if (contains.accepts(value.get(i), budget)) {
          marks.items.set(i);
        }
      }
      for (Part part : parts) {
        if (part.applies(value, budget)) {
          part.spoken.mark(value, marks, budget);
        }
      }
    }

    private boolean matches(String name, Faults budget) {
      for (Regex pattern : patterns) {
        budget.step(1 + pattern.cost(name));
        if (pattern.found(name)) {
          return true;
        }
      }
      return false;
    }
  }

  /// A schema for the same value.
  ///
  /// @param present the member that the value must have, null for none
  /// @param condition the condition on the value, null for always
  record Part(@Nullable String present, @Nullable Shape condition, boolean met, Spoken spoken) {
    private boolean applies(JsonNode value, Faults budget) {
      return (present == null || value.has(present))
          && (condition == null || condition.accepts(value, budget) == met);
    }
  }

  private static final class Marks {
    private final Set<String> names = new HashSet<>();
    private final BitSet items = new BitSet();
    private boolean allMembers;
  }

  @Override
  public @Nullable Object read(JsonTokens in) {
    readAsTree(in);
    return null;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    faults.step();
    if (!(members != null && value.isObject()) && !(items != null && value.isArray())) {
      return;
    }
    Marks marks = new Marks();
    spoken.mark(value, marks, faults);
    if (members != null && !marks.allMembers) {
      value.forEachEntry((name, member) -> {
        if (!marks.names.contains(name)) {
          explain(members, member, at.child(name), "no such property", faults);
        }
      });
    }
    for (int i = 0; items != null && value.isArray() && i < value.size(); i++) {
      if (!marks.items.get(i)) {
        explain(items, value.get(i), at.child(i), "no such item", faults);
      }
    }
  }

  private static void explain(
      Shape shape, JsonNode part, Place at, String expected, Faults faults) {
    if (shape == NeverShape.INSTANCE) {
      faults.add(at, () -> expected, part);
    } else {
      shape.explain(part, at, faults);
    }
  }

  @Override
  public String expected() {
    return "any value";
  }
}
